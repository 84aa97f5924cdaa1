#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "browser/input.hpp"
#include "tools/arguments.hpp"
#include "tools/asked_hops.hpp"
#include "tools/gate_block.hpp"
#include "tools/handler.hpp"
#include "tools/matters.hpp"
#include "tools/schema.hpp"
#include "tools/tool_call.hpp"

namespace agentlock::tools {
namespace {

using Element = perception::PageReader::Element;

// The focus is checked again before each piece, so a thief gets one at most even if
// the guard should fail.
constexpr std::size_t kPiece = 256;

/// The rules of type that are not the gate's; nothing if none of them refuses.
std::optional<Verdict> refused_by_field(const perception::ElementState& state,
                                        const std::string& value) {
  if (state.credential) {
    return refuse(DecidedBy::kCredentialField, "credential_field",
                  "This is a field for a secret. Values for those never come from the model: ask "
                  "the operator to fill it in.");
  }
  if (value.find('\n') != std::string::npos && !state.multiline) {
    return refuse(DecidedBy::kArguments, "newline",
                  "A newline in a field of one line would submit the form. Leave it out.");
  }
  return std::nullopt;
}

// A field holds its lines with LF between them, however they were sent.
std::string with_line_feeds(std::string text) {
  for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at)) {
    text.erase(at, 1);
  }
  return text;
}

Error focus_moved() {
  return {ErrorCode::kRefused,
          "focus_moved: the page took the focus away from the field, so nothing more was typed. "
          "Look at the page again."};
}

Task<Result<void>> insert(ToolCall& call, const Element& element, const std::string& value) {
  perception::PageReader& reader = call.box().reader;
  auto focused = co_await browser::focus(call.tab(), element.node, call.deadline());
  if (!focused) co_return focused;
  auto selected = co_await reader.select_all(element, call.deadline());
  if (!selected) co_return selected;

  for (std::size_t at = 0; at < value.size();) {
    const auto check = co_await reader.focus_check(element, call.deadline());
    if (!check) co_return tl::unexpected(check.error());
    if (!check->focused || check->credential) co_return tl::unexpected(focus_moved());
    std::string piece(utf8_prefix(std::string_view(value).substr(at), kPiece));
    at += piece.size();
    const auto delivered =
        co_await browser::insert_text(call.tab(), element.node, std::move(piece), call.deadline());
    if (!delivered) co_return tl::unexpected(delivered.error());
    if (*delivered != browser::Delivery::kArrived) co_return tl::unexpected(focus_moved());
  }
  if (value.empty()) {
    const auto check = co_await reader.focus_check(element, call.deadline());
    if (!check) co_return tl::unexpected(check.error());
    if (!check->focused) co_return tl::unexpected(focus_moved());
    // An empty field has nothing to delete, and tells of no event.
    const auto held = co_await reader.state(element, call.deadline());
    if (!held) co_return tl::unexpected(held.error());
    if (held->value.empty()) co_return Result<void>{};
    const auto deleted =
        co_await browser::delete_selection(call.tab(), element.node, call.deadline());
    if (!deleted) co_return tl::unexpected(deleted.error());
    if (*deleted != browser::Delivery::kArrived) co_return tl::unexpected(focus_moved());
  }
  co_return Result<void>{};
}

Task<Result<void>> type_into(ToolCall& call, const Element& element, const std::string& value,
                             Draft& result) {
  auto inserted = co_await insert(call, element, value);
  if (!inserted) co_return inserted;
  co_await call.tab().settle(call.deadline());
  auto state = co_await call.box().reader.state(element, call.deadline());
  if (!state) co_return tl::unexpected(state.error());
  if (state->value != value) {
    result.set("field_value", PageText(state->value, element.frame));
    co_return fail(ErrorCode::kRefused,
                   "The field holds something else than what was typed: see field_value.");
  }
  co_return Result<void>{};
}

/// Whether the field that was asked about is still what the operator was told of it;
/// element and state become those of now.
Task<bool> is_same_field(ToolCall& call, ToolCall::Page page, std::string id, const Matter& asked,
                         const Verdict& verdict, Element& element,
                         perception::ElementState& state) {
  if (!call.has_tab() || !(call.page() == page)) co_return false;
  auto found = co_await call.box().reader.find(std::move(id), call.deadline());
  if (!found) co_return false;
  auto now = co_await call.box().reader.state(*found, call.deadline());
  if (!now) co_return false;
  element = std::move(*found);
  state = std::move(*now);
  co_return matter_of_value(call, asked.value, verdict, element, state).receiver == asked.receiver;
}

/// The gate's decision, and the operator's where it is one to ask about. Afterwards
/// element and state are those of the field as it is now.
Task<Decided> decide(ToolCall& call, std::string id, std::string value, Element& element,
                     perception::ElementState& state) {
  Toolbox& box = call.box();
  const auto judge = [&]() -> Verdict {
    if (auto refused = refused_by_field(state, value)) return *std::move(refused);
    return box.gate.type(value, element.frame, call.tab().origin(), box.typed.on(call.tab()), id);
  };
  Verdict verdict = judge();
  const Ledger::Yes yes{"browser.type", value, id};
  std::string confirmation;
  if (verdict.askable) {
    const ToolCall::Page page = call.page();
    // The label is a page's, and a person will read it.
    const auto recorded =
        box.recorder.record_page(PageText(state.label, element.frame, id), "type");
    const Matter matter = matter_of_value(call, value, verdict, element, state);
    const Asked answer =
        recorded ? co_await box.confirmations.ask(call, matter) : Asked::kUnavailable;
    confirmation = to_string(answer);
    if (!is_yes(answer)) {
      verdict = after_no(std::move(verdict), answer);
    } else if (!co_await is_same_field(call, page, id, matter, verdict, element, state)) {
      verdict = changed_while_asked(std::move(verdict));
    } else {
      box.recorder.record_confirmed(yes);
      verdict = judge();
    }
  }
  Decided decided =
      box.recorder.decide({"browser.type", "value", value, ""}, std::move(verdict), confirmation);
  box.ledger.use_confirmed(yes);
  co_return decided;
}

Task<Result<Draft>> type(Toolbox& box, Json json, CallContext context) {
  auto arguments = Arguments::parse(json, {"element_id", "value"});
  if (!arguments) co_return tl::unexpected(arguments.error());
  const auto id = arguments->text("element_id");
  auto value = arguments->text("value");
  if (value) value = with_line_feeds(*std::move(value));
  if (!id || !value) {
    co_return fail(ErrorCode::kInvalidArgument, "Both element_id and value are needed.");
  }
  auto call = co_await ToolCall::begin(box, context, box.config.action_timeout);
  if (!call) co_return tl::unexpected(call.error());

  Draft result = Draft::object();
  result.set("element_id", OwnText(*id));
  auto element = co_await box.reader.find(*id, (*call)->deadline());
  auto state = element ? co_await box.reader.state(*element, (*call)->deadline())
                       : Result<perception::ElementState>(tl::unexpected(element.error()));
  if (!state) {
    co_await (*call)->report(result, state.error());
    co_return result;
  }
  const Decided decided = co_await decide(**call, *id, *value, *element, *state);
  result.set("gate", gate_block(decided));

  if (!decided.allowed()) {
    co_await (*call)->report_refused(result);
    co_return result;
  }
  box.typed.add((*call)->tab(), *value);
  std::optional<Error> error;
  if (!state->editable) {
    error = Error(ErrorCode::kRefused,
                  "This element takes no text now: it is read-only, disabled or no text field.");
  } else if (const auto typed = co_await type_into(**call, *element, *value, result); !typed) {
    error = typed.error();
  }
  co_await ask_about_hops(**call);
  co_await (*call)->report(result, error);
  co_return result;
}

}  // namespace

Tool type_tool() {
  ToolDescription description;
  description.name = "type";
  description.title = "Fill in a field";
  description.description =
      "Replace a text field's value, by the element's id from snapshot. The value must be the "
      "operator's own: one that came from a page or that nobody gave is refused. Fields for "
      "passwords and other secrets are never filled.";
  description.input_schema =
      object_schema({{"element_id", text_schema("A field's id from snapshot, as p1-e5.")},
                     {"value", text_schema("What the field shall hold; empty clears it.")}},
                    {"element_id", "value"});
  description.output_schema = with_report_schema(object_schema({{"element_id", text_schema()},
                                                                {"gate", gate_block_schema()},
                                                                {"field_value", text_schema()}},
                                                               {"element_id"}));
  description.annotations = {{"readOnlyHint", false},
                             {"destructiveHint", true},
                             {"idempotentHint", true},
                             {"openWorldHint", true}};
  return {std::move(description), type};
}

}  // namespace agentlock::tools
