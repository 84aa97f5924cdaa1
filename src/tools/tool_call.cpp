#include "tools/tool_call.hpp"

#include <nlohmann/json.hpp>

#include "base/encoding.hpp"
#include "tools/gate_block.hpp"
#include "tools/schema.hpp"

namespace agentlock::tools {
namespace {

constexpr std::size_t kMaxDialogText = 1'000;
constexpr auto kLongestWait = std::chrono::minutes(10);
// Of the tab's title and address, after the work itself is done.
constexpr auto kReportTimeout = std::chrono::milliseconds(3'000);

}  // namespace

Task<Result<std::unique_ptr<ToolCall>>> ToolCall::begin(Toolbox& box,
                                                        std::chrono::milliseconds timeout) {
  // Each call before this one is bounded itself, and so is their number.
  auto turn = co_await box.driver.turns().take(after(kLongestWait));
  if (!turn) {
    co_return fail(ErrorCode::kTimeout,
                   "Another call on this tab is still running. Wait for it, or cancel it.");
  }
  auto call = std::unique_ptr<ToolCall>(new ToolCall(box, std::move(*turn), after(timeout)));
  // Starting Chromium has its own time: a call's is for the page.
  auto browser = co_await box.driver.ensure(after(std::chrono::seconds(30)));
  if (!browser) co_return tl::unexpected(browser.error());
  call->deadline_ = after(timeout);
  call->tab_ = &(*browser)->tab();
  box.reader.look_at(call->tab());
  box.top_level.begin_call();
  co_return call;
}

ToolCall::~ToolCall() {
  if (tab_ == nullptr || ended_) return;
  box_.top_level.end_call();
  box_.top_level.withdraw();
}

const std::vector<Decided>& ToolCall::blocked() {
  if (!ended_) blocked_ = box_.top_level.blocked();
  return blocked_;
}

void add_place(Draft& result, const browser::Tab& tab) {
  // The empty page that a tab starts with is ours.
  if (tab.url().empty() || (tab.url() == "about:blank" && tab.origin().is_opaque())) {
    result.set("origin", "null");
    result.set("url", "about:blank");
    return;
  }
  result.set("origin", PageText(tab.origin().serialize(), tab.origin()));
  result.set("url", PageText(tab.url(), tab.origin()));
}

Draft error_block(const Error& error) {
  // The messages of errors are ours throughout: what Chromium or a page says is
  // turned into a sentence of ours where it arrives (cdp/errors.cpp).
  Draft block = Draft::object();
  block.set("code", OwnText(to_string(error.code())));
  block.set("message", OwnText(error.describe()));
  return block;
}

Task<void> ToolCall::report(Draft& result, std::optional<Error> error) {
  if (!error && tab_->crashed()) {
    error = Error(ErrorCode::kTargetGone, "The page crashed. Navigate again.");
  } else if (!error && tab_->url().starts_with("chrome-error:")) {
    error = Error(ErrorCode::kNetwork, "The site can't be reached.");
  }
  co_await report_as(result, !error);
  if (error) result.set("error", error_block(*error));
}

Task<void> ToolCall::report_refused(Draft& result) { return report_as(result, false); }

Task<void> ToolCall::report_as(Draft& result, bool done) {
  blocked_ = box_.top_level.end_call();
  ended_ = true;
  result.set("ok", done && blocked_.empty());
  add_place(result, *tab_);
  if (const auto history = co_await tab_->history(after(kReportTimeout));
      history && !history->current.title.empty()) {
    result.set("title", page_text(history->current.title));
  }
  if (!blocked_.empty()) result.set("blocked", gate_blocks(blocked_));
  Draft dialogs = Draft::array();
  for (const browser::Dialog& dialog : tab_->take_dialogs()) {
    Draft one = Draft::object();
    one.set("type", OwnText(dialog.type));
    one.set("message", page_text(std::string(utf8_prefix(dialog.message, kMaxDialogText))));
    dialogs.push(std::move(one));
  }
  if (!dialogs.is_empty_array()) result.set("dialogs", std::move(dialogs));
  if (box_.driver.take_restarted()) result.set("browser_restarted", true);
}

Json error_schema() {
  return object_schema({{"code", text_schema()}, {"message", text_schema()}}, {"code", "message"});
}

Json with_report_schema(Json schema) {
  Json& properties = schema["properties"];
  properties["ok"] = boolean_schema();
  properties["origin"] = text_schema();
  properties["url"] = text_schema();
  properties["title"] = text_schema();
  properties["blocked"] = list_schema(gate_block_schema());
  properties["dialogs"] = list_schema(
      object_schema({{"type", text_schema()}, {"message", text_schema()}}, {"type", "message"}));
  properties["browser_restarted"] =
      boolean_schema("Chromium had gone and was started anew: its pages are lost.");
  properties["error"] = error_schema();
  Json& required = schema["required"];
  if (!required.is_array()) required = Json::array();
  for (const char* name : {"ok", "origin", "url"}) required.push_back(name);
  return schema;
}

}  // namespace agentlock::tools
