#include "agentlock/gate.hpp"

#include "agentlock/closed_lineage.hpp"
#include "agentlock/verdicts.hpp"

// One function for each action of gate.md, section 2. Each starts from a denial and
// names the rule that turns it into an allow; the order of the rules is the order of
// the lines. What hops may do is in hops.cpp.

namespace agentlock {
namespace {

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++count;
  }
  return count;
}

// Control characters can act (a newline submits a form); tab and newline are judged
// by the tool, which knows the field (attacks.md A61).
bool has_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool ends_line = text.substr(i, 2) == "\r\n";
    if (text[i] == '\n' || text[i] == '\t' || ends_line) continue;
    if (byte < 0x20 || byte == 0x7F) return true;
  }
  // The C1 controls, U+0080 to U+009F, are two bytes in UTF-8.
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (text[i] == '\xC2' && next >= 0x80 && next <= 0x9F) return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(DecidedBy decided_by) {
  switch (decided_by) {
    case DecidedBy::kGate:
      return "agentlock_gate";
    case DecidedBy::kUrl:
      return "server:url";
    case DecidedBy::kLinkFreshness:
      return "server:link_freshness";
    case DecidedBy::kCredentialField:
      return "server:credential_field";
    case DecidedBy::kArguments:
      return "server:arguments";
    case DecidedBy::kOneTab:
      return "server:one_tab";
    case DecidedBy::kConfirm:
      return "server:confirm";
    case DecidedBy::kLog:
      return "server:log";
  }
  return "agentlock_gate";
}

Verdict refuse(DecidedBy decided_by, std::string reason, std::string detail) {
  Verdict verdict;
  verdict.decided_by = decided_by;
  verdict.reason = std::move(reason);
  verdict.detail = std::move(detail);
  return verdict;
}

Gate::Navigation Gate::judge_navigate(std::string_view argument) const {
  if (code_points(argument) > policy_.max_url) {
    return {refuse(DecidedBy::kUrl, "url_refused", "The URL is too long to be judged. Shorten it."),
            std::nullopt};
  }
  auto target = parse_navigable(argument);
  if (!target) {
    return {refuse(DecidedBy::kUrl, "url_refused", target.error().message()), std::nullopt};
  }
  return {navigate_to(*target, argument), *target};
}

Verdict Gate::navigate_to(const Url& target, std::string_view argument) const {
  if (policy_.lineage_mode == LineageMode::kClosed && ledger_.visited(target)) {
    return allow(Channel::kPage, "visited");
  }
  const bool confirmed = ledger_.confirmed({"browser.navigate", target.href(), ""});
  if (ledger_.allowlisted(target.origin())) {
    auto carried = carries(target);
    if (!carried) return allow(Channel::kAllowlist);
    return confirmed ? allow(Channel::kUserConfirmed) : *std::move(carried);
  }
  if (confirmed) return allow(Channel::kUserConfirmed);
  if (policy_.lineage_mode == LineageMode::kAgentlock) {
    return by_exact_lineage(text_parameters("url", std::string(argument)));
  }
  return by_closed_lineage(trace_url(ledger_, policy_.lineage_mode, target), "url", argument);
}

Verdict Gate::judge_follow_link(const Url& target, const Origin& current, const Origin& frame,
                                std::string_view link) const {
  if (auto navigable = parse_navigable(target.href()); !navigable) {
    return refuse(DecidedBy::kUrl, "url_refused", navigable.error().message());
  }
  // What stands in a frame of another site was put there by that site (attacks.md A29).
  const bool of_this_page = frame == current;
  if (of_this_page && target.origin() == current) return allow(Channel::kPage, "same_origin");
  if (ledger_.confirmed({"browser.navigate_link", target.href(), std::string(link)})) {
    return allow(Channel::kUserConfirmed);
  }
  if (of_this_page && ledger_.allowlisted(target.origin())) {
    if (auto carried = carries(target)) return *std::move(carried);
    return allow(Channel::kAllowlist);
  }
  Verdict verdict;
  verdict.reason = "param_lineage";
  verdict.channel = Channel::kPage;
  verdict.origin = frame;
  verdict.askable = true;
  verdict.detail =
      "The link leaves this site for one that is not on the allowlist, and the page chose it. Ask "
      "the operator to name the address or to put its origin on the allowlist.";
  return verdict;
}

Verdict Gate::judge_type(std::string_view value, const Origin& frame, const Origin& top,
                         const std::vector<std::string>& earlier, std::string_view element) const {
  // Clearing a field gives nothing away (attacks.md F58).
  if (value.empty()) return allow(Channel::kUser, "cleared");
  if (code_points(value) > policy_.max_value) {
    return refuse(DecidedBy::kArguments, "value_too_long",
                  "The value is too long to be judged. Type at most " +
                      std::to_string(policy_.max_value) + " characters.");
  }
  if (has_control_character(value)) {
    return refuse(DecidedBy::kArguments, "control_character",
                  "The value holds a control character, which can do more than text does. Leave it "
                  "out.");
  }
  if (ledger_.confirmed({"browser.type", std::string(value), std::string(element)})) {
    return allow(Channel::kUserConfirmed);
  }
  if (frame != top && !ledger_.allowlisted(frame)) {
    Verdict verdict;
    verdict.reason = "foreign_frame";
    verdict.channel = Channel::kPage;
    verdict.origin = frame;
    verdict.askable = true;
    verdict.detail =
        "The field belongs to a frame of another site, which would receive the value. Ask the "
        "operator to put that site on the allowlist, or to do this step.";
    return verdict;
  }
  if (policy_.lineage_mode == LineageMode::kAgentlock) {
    return by_exact_lineage(text_parameters("value", std::string(value)));
  }
  return by_closed_lineage(trace_value(ledger_, policy_.lineage_mode, value, earlier), "value",
                           value);
}

Verdict Gate::judge_back(const Url& target, const Origin& current, bool reached) const {
  if (target.origin() == current) return allow(Channel::kPage, "same_origin");
  if (ledger_.confirmed({"browser.back", target.href(), ""})) {
    return allow(Channel::kUserConfirmed);
  }
  if (reached) return allow(Channel::kPage, "visited");
  Verdict verdict;
  verdict.reason = "param_lineage";
  verdict.channel = Channel::kPage;
  verdict.origin = current;
  verdict.askable = true;
  verdict.detail =
      "The page before this one is of an origin that no allowed navigation of this session "
      "reached. Navigate to an address that the operator named.";
  return verdict;
}

}  // namespace agentlock
