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

/// Goes back, if the gate lets it; `refused` is set if not.
Task<Result<void>> go_back(ToolCall& call, std::optional<Decided>& refused) {
  Toolbox& box = call.box();
  auto history = co_await call.tab().history(call.deadline());
  if (!history) co_return tl::unexpected(history.error());
  const auto target = history->previous ? parse_navigable(history->previous->url)
                                        : Result<Url>(fail(ErrorCode::kNotFound, ""));
  if (!target) {
    co_return fail(ErrorCode::kNotFound, "There is no page before this one to go back to.");
  }
  const Origin origin = target->origin();
  if (!(origin == call.tab().origin())) {
    Verdict verdict = box.gate.back(*target, call.tab().origin(), box.top_level.reached(origin));
    std::string confirmation;
    if (verdict.askable) {
      const ToolCall::Page page = call.page();
      const Asked answer = co_await box.confirmations.ask(call, matter_of_back(call, *target));
      confirmation = to_string(answer);
      if (!is_yes(answer)) {
        verdict = after_no(std::move(verdict), answer);
      } else if (!call.has_tab() || !(call.page() == page)) {
        verdict = changed_while_asked(std::move(verdict));
      } else {
        box.recorder.record_confirmed({"browser.back", target->href(), ""});
        if (answer == Asked::kTrustOrigin) box.recorder.record_trusted(origin);
        verdict = box.gate.back(*target, call.tab().origin(), box.top_level.reached(origin));
      }
    }
    Decided decided = box.recorder.decide({"browser.back", "url", target->href(), target->href()},
                                          std::move(verdict), confirmation);
    box.ledger.use_confirmed({"browser.back", target->href(), ""});
    if (!decided.allowed()) {
      decided.target = call.page_text(target->href());
      refused = std::move(decided);
      co_return Result<void>{};
    }
    box.top_level.grant(*target, decided.verdict.channel);
  }
  auto gone = co_await call.tab().go_to_entry(history->previous->id, call.deadline());
  if (!gone) co_return gone;
  co_await call.tab().settle(call.deadline());
  co_await ask_about_hops(call);
  co_return Result<void>{};
}

Task<Result<Draft>> back(Toolbox& box, Json json, CallContext context) {
  auto arguments = Arguments::parse(json, {});
  if (!arguments) co_return tl::unexpected(arguments.error());
  auto call = co_await ToolCall::begin(box, context, box.config.nav_timeout);
  if (!call) co_return tl::unexpected(call.error());

  Draft result = Draft::object();
  std::optional<Decided> refused;
  const auto gone = co_await go_back(**call, refused);
  if (refused) {
    result.set("gate", gate_block(*refused));
    co_await (*call)->report_refused(result);
    co_return result;
  }
  std::optional<Error> error;
  if (!gone) error = gone.error();
  co_await (*call)->report(result, error);
  co_return result;
}

}  // namespace

Tool back_tool() {
  ToolDescription description;
  description.name = "back";
  description.title = "Go back";
  description.description = "Go back to the page before this one.";
  description.input_schema = object_schema({});
  description.output_schema = with_report_schema(object_schema({{"gate", gate_block_schema()}}));
  description.annotations = {{"readOnlyHint", false},
                             {"destructiveHint", false},
                             {"idempotentHint", false},
                             {"openWorldHint", true}};
  return {std::move(description), back};
}

}  // namespace agentlock::tools
