#include <nlohmann/json.hpp>

#include "tools/arguments.hpp"
#include "tools/asked_hops.hpp"
#include "tools/gate_block.hpp"
#include "tools/handler.hpp"
#include "tools/matters.hpp"
#include "tools/schema.hpp"
#include "tools/tool_call.hpp"

namespace agentlock::tools {
namespace {

// What was refused on the way says more than that no page came of it.
std::optional<Error> without_refusals(Result<void> went, bool blocked) {
  if (went || (blocked && went.error().code() == ErrorCode::kRefused)) return std::nullopt;
  return went.error();
}

Task<void> finish(ToolCall& call, Draft& result, const Decided& decided, Result<void> went) {
  const bool settled = co_await call.tab().settle(call.deadline());
  if (!went) call.box().top_level.withdraw();
  // Once the operator said yes to where it was stopped, it was no failure.
  const bool was_blocked = !call.blocked().empty();
  co_await ask_about_hops(call);
  result.set("gate", gate_block(decided));
  if (went && !settled) result.set("still_loading", true);
  co_await call.report(result, without_refusals(std::move(went), was_blocked));
}

Task<void> refused(ToolCall& call, Draft& result, const Decided& decided) {
  result.set("gate", gate_block(decided));
  co_await call.report_refused(result);
}

Task<Result<Draft>> go_to_url(ToolCall& call, std::string url) {
  Toolbox& box = call.box();
  Gate::Navigation navigation = box.gate.navigate(url);
  const std::string href = navigation.target ? navigation.target->href() : "";
  const Ledger::Yes yes{"browser.navigate", href, ""};
  std::string confirmation;
  if (navigation.verdict.askable) {
    const Matter matter = matter_of_url(call, *navigation.target, navigation.verdict);
    const Asked answer = co_await box.confirmations.ask(call, matter);
    confirmation = to_string(answer);
    if (is_yes(answer)) {
      box.recorder.record_confirmed(yes);
      if (answer == Asked::kTrustOrigin) box.recorder.record_trusted(navigation.target->origin());
      navigation.verdict = box.gate.navigate(url).verdict;
    } else {
      navigation.verdict = after_no(std::move(navigation.verdict), answer);
    }
  }
  const Decided decided =
      box.recorder.decide({"browser.navigate", "url", url, href}, navigation.verdict, confirmation);
  box.ledger.use_confirmed(yes);
  Draft result = Draft::object();
  if (!decided.allowed()) {
    co_await refused(call, result, decided);
    co_return result;
  }
  box.top_level.grant(*navigation.target, decided.verdict.channel);
  Result<void> went = co_await call.tab().navigate(*navigation.target, call.deadline());
  co_await finish(call, result, decided, std::move(went));
  co_return result;
}

Decided link_refused(Toolbox& box, const std::string& id, std::string detail) {
  Verdict verdict = refuse(DecidedBy::kLinkFreshness, "link_freshness", std::move(detail));
  verdict.channel = Channel::kPage;
  return box.recorder.decide({"browser.navigate_link", "link_id", id, ""}, std::move(verdict));
}

/// Whether the link that was asked about is the same link now.
Task<bool> is_still_there(ToolCall& call, ToolCall::Page page, std::string id, std::string href) {
  if (!call.has_tab() || !(call.page() == page)) co_return false;
  const auto element = co_await call.box().reader.find(std::move(id), call.deadline());
  if (!element) co_return false;
  const auto now = co_await call.box().reader.live_href(*element, call.deadline());
  co_return now && *now == href && element->shown_href == href;
}

Task<Result<Draft>> follow_link(ToolCall& call, std::string id) {
  Toolbox& box = call.box();
  Draft result = Draft::object();
  auto element = co_await box.reader.find(id, call.deadline());
  if (!element) {
    result.set("gate", gate_block(link_refused(box, id, element.error().message())));
    co_await call.report(result, element.error());
    co_return result;
  }
  auto href = co_await box.reader.live_href(*element, call.deadline());
  if (!href) co_return tl::unexpected(href.error());
  if (*href != element->shown_href) {
    co_await refused(call, result,
                     link_refused(box, id,
                                  "The link leads elsewhere than when it was read. Call snapshot "
                                  "again and look where it leads now."));
    co_return result;
  }
  auto target = Url::parse(*href);
  if (href->empty() || !target) {
    const Error error(ErrorCode::kInvalidArgument,
                      "This element is no link to an address. Use click.");
    co_await call.report(result, error);
    co_return result;
  }
  const auto judge = [&] {
    return box.gate.follow_link(*target, call.tab().origin(), element->frame, id);
  };
  Verdict verdict = judge();
  const Ledger::Yes yes{"browser.navigate_link", target->href(), id};
  std::string confirmation;
  if (verdict.askable) {
    const ToolCall::Page page = call.page();
    const Asked answer = co_await box.confirmations.ask(call, matter_of_link(call, *target));
    confirmation = to_string(answer);
    if (!is_yes(answer)) {
      verdict = after_no(std::move(verdict), answer);
    } else if (!co_await is_still_there(call, page, id, *href)) {
      verdict = changed_while_asked(std::move(verdict));
    } else {
      box.recorder.record_confirmed(yes);
      if (answer == Asked::kTrustOrigin) box.recorder.record_trusted(target->origin());
      verdict = judge();
    }
  }
  const Decided decided = box.recorder.decide(
      {"browser.navigate_link", "link_id", id, target->href()}, std::move(verdict), confirmation);
  box.ledger.use_confirmed(yes);
  if (!decided.allowed()) {
    co_await refused(call, result, decided);
    co_return result;
  }
  box.top_level.grant(*target, decided.verdict.channel);
  Result<void> went = co_await call.tab().follow(*target, call.deadline());
  co_await finish(call, result, decided, std::move(went));
  co_return result;
}

Task<Result<Draft>> navigate(Toolbox& box, Json json, CallContext context) {
  auto arguments = Arguments::parse(json, {"url", "link_id"});
  if (!arguments) co_return tl::unexpected(arguments.error());
  auto url = arguments->text("url");
  auto link_id = arguments->text("link_id");
  if (url.has_value() == link_id.has_value()) {
    co_return fail(ErrorCode::kInvalidArgument, "Give exactly one of url and link_id.");
  }
  auto call = co_await ToolCall::begin(box, context, box.config.nav_timeout);
  if (!call) co_return tl::unexpected(call.error());
  if (url) co_return co_await go_to_url(**call, std::move(*url));
  co_return co_await follow_link(**call, std::move(*link_id));
}

}  // namespace

Tool navigate_tool() {
  ToolDescription description;
  description.name = "navigate";
  description.title = "Go to a page";
  description.description =
      "Open a page, by exactly one of: url, an address that the operator gave or whose origin is "
      "on the allowlist; link_id, a link's id from snapshot. An address that came from a page is "
      "refused, whatever the page says.";
  description.input_schema =
      object_schema({{"url", text_schema("An absolute http or https URL.")},
                     {"link_id", text_schema("A link's id from snapshot, as p1-e5.")}});
  description.output_schema = with_report_schema(
      object_schema({{"gate", gate_block_schema()}, {"still_loading", boolean_schema()}}));
  description.annotations = {{"readOnlyHint", false},
                             {"destructiveHint", false},
                             {"idempotentHint", false},
                             {"openWorldHint", true}};
  return {std::move(description), navigate};
}

}  // namespace agentlock::tools
