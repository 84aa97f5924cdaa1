#include "tools/asked_hops.hpp"

#include <algorithm>

namespace agentlock::tools {
namespace {

constexpr int kMaxQuestions = 2;

// Of those that wait for an answer, the first.
Decided* pending(std::vector<Decided>& blocked) {
  const auto found = std::ranges::find_if(blocked, [](const Decided& one) {
    return one.verdict.askable && one.confirmation.empty() && !one.href.empty();
  });
  return found == blocked.end() ? nullptr : &*found;
}

Decided* with_audit_id(std::vector<Decided>& blocked, const std::string& id) {
  const auto found = std::ranges::find(blocked, id, &Decided::audit_id);
  return found == blocked.end() ? nullptr : &*found;
}

Matter matter_of(const Decided& hop, const Url& target) {
  const std::string from = hop.verdict.origin ? hop.verdict.origin->serialize() : "null";
  return {.action = "browser.navigate",
          .title = "Confirm navigate",
          .source = "redirect from " + from,
          .value = target.href(),
          .target = target,
          .receiver = "",
          .asking_origin = from,
          .key = "hop\n" + target.origin().serialize()};
}

Task<void> go(ToolCall& call, const Url& target, bool trusted, const std::string& audit_id) {
  Toolbox& box = call.box();
  const Ledger::Yes yes{"browser.navigate", target.href(), ""};
  box.recorder.record_confirmed(yes);
  if (trusted) box.recorder.record_trusted(target.origin());
  Verdict verdict = box.gate.navigate(target.href()).verdict;
  if (verdict.allowed()) verdict.cause = "post_confirm";
  const Decided decided = box.recorder.decide(
      {"browser.navigate", "url", target.href(), target.href()}, std::move(verdict), "accepted");
  box.ledger.use_confirmed(yes);
  if (!decided.allowed()) co_return;
  std::erase_if(call.blocked(), [&](const Decided& one) { return one.audit_id == audit_id; });
  box.top_level.grant(target, decided.verdict.channel);
  // The page chose the address, so it is gone to as from the page, where there is one.
  const bool has_page = !call.tab().origin().is_opaque();
  Result<void> went = has_page ? co_await call.tab().follow(target, call.deadline())
                               : co_await call.tab().navigate(target, call.deadline());
  co_await call.tab().settle(call.deadline());
  if (!went) box.top_level.withdraw();
}

}  // namespace

Task<void> ask_about_hops(ToolCall& call) {
  for (int asked = 0; asked < kMaxQuestions; ++asked) {
    const Decided* hop = pending(call.blocked());
    if (hop == nullptr) co_return;
    const auto target = Url::parse(hop->href);
    if (!target) co_return;
    const std::string id = hop->audit_id;
    const ToolCall::Page page = call.page();
    const Matter matter = matter_of(*hop, *target);
    const Asked answer = co_await call.box().confirmations.ask(call, matter);
    if (!call.has_tab()) co_return;
    if (is_yes(answer) && call.page() == page) {
      co_await go(call, *target, answer == Asked::kTrustOrigin, id);
      continue;
    }
    Decided* refused = with_audit_id(call.blocked(), id);
    if (refused == nullptr) continue;
    refused->confirmation = to_string(answer);
    refused->verdict = is_yes(answer) ? changed_while_asked(std::move(refused->verdict))
                                      : after_no(std::move(refused->verdict), answer);
  }
  // More than that is not asked in one call.
  for (Decided& left : call.blocked()) {
    if (left.verdict.askable && left.confirmation.empty()) left.confirmation = "unavailable";
  }
}

}  // namespace agentlock::tools
