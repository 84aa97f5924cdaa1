#include <nlohmann/json.hpp>

#include "browser/input.hpp"
#include "tools/arguments.hpp"
#include "tools/asked_hops.hpp"
#include "tools/handler.hpp"
#include "tools/schema.hpp"
#include "tools/tool_call.hpp"

namespace agentlock::tools {
namespace {

// Where something else lies on top, the result says what; that is page text.
struct Covered {
  std::string by;
};

Task<Result<std::optional<Covered>>> click_element(ToolCall& call,
                                                   perception::PageReader::Element& element) {
  perception::PageReader& reader = call.box().reader;
  browser::Tab& tab = call.tab();
  auto state = co_await reader.state(element, call.deadline());
  if (!state) co_return tl::unexpected(state.error());
  if (state->disabled) {
    co_return fail(ErrorCode::kRefused, "This element is disabled, so a click would do nothing.");
  }
  auto place = co_await reader.place(element, call.deadline());
  if (!place) co_return tl::unexpected(place.error());
  if (!place->covered_by.empty()) co_return Covered{place->covered_by};

  // The script in the page says what is there; Chromium has the last word.
  auto there = co_await browser::node_at(tab, place->point, element.node.world, call.deadline());
  if (!there) co_return tl::unexpected(there.error());
  auto hit = co_await reader.hit(element, *there, call.deadline());
  if (!hit) co_return tl::unexpected(hit.error());
  if (!hit->on_element) co_return Covered{hit->covered_by};

  auto delivered = co_await browser::click(tab, element.node, place->point, call.deadline());
  if (!delivered) co_return tl::unexpected(delivered.error());
  if (*delivered == browser::Delivery::kStolen) {
    co_return fail(ErrorCode::kRefused,
                   "Something else moved under the pointer at the last moment, so the click was "
                   "cancelled. Call snapshot and look again.");
  }
  if (*delivered == browser::Delivery::kLost) {
    co_return fail(ErrorCode::kTargetGone,
                   "The click did not reach the page. Call snapshot and try again.");
  }
  co_return std::nullopt;
}

Task<Result<Draft>> click(Toolbox& box, Json json, CallContext context) {
  auto arguments = Arguments::parse(json, {"element_id"});
  if (!arguments) co_return tl::unexpected(arguments.error());
  const auto id = arguments->text("element_id");
  if (!id) co_return fail(ErrorCode::kInvalidArgument, "The argument element_id is missing.");
  auto call = co_await ToolCall::begin(box, context, box.config.action_timeout);
  if (!call) co_return tl::unexpected(call.error());

  Draft result = Draft::object();
  result.set("element_id", OwnText(*id));
  std::optional<Error> error;
  auto element = co_await box.reader.find(*id, (*call)->deadline());
  if (!element) {
    error = element.error();
  } else {
    const auto clicked = co_await click_element(**call, *element);
    if (!clicked) {
      error = clicked.error();
    } else if (*clicked) {
      error = Error(ErrorCode::kRefused,
                    "Something else lies on top of this element, and would get the click.");
      result.set("covered_by", (*call)->page_text((*clicked)->by));
    } else {
      const bool settled = co_await (*call)->tab().settle((*call)->deadline());
      if (!settled) result.set("still_loading", true);
      co_await ask_about_hops(**call);
    }
  }
  co_await (*call)->report(result, error);
  co_return result;
}

}  // namespace

Tool click_tool() {
  ToolDescription description;
  description.name = "click";
  description.title = "Click an element";
  description.description =
      "Click an element by its id from snapshot, as a person would with the mouse. If the click "
      "starts a navigation to another origin that is not allowed, the page stays and `blocked` "
      "says why.";
  description.input_schema = object_schema(
      {{"element_id", text_schema("An element's id from snapshot, as p1-e5.")}}, {"element_id"});
  description.output_schema =
      with_report_schema(object_schema({{"element_id", text_schema()},
                                        {"covered_by", text_schema()},
                                        {"still_loading", boolean_schema()}},
                                       {"element_id"}));
  description.annotations = {{"readOnlyHint", false},
                             {"destructiveHint", true},
                             {"idempotentHint", false},
                             {"openWorldHint", true}};
  return {std::move(description), click};
}

}  // namespace agentlock::tools
