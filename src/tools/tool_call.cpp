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

ToolCall::ToolCall(Toolbox& box, const CallContext& context, Turns::Turn turn,
                   std::chrono::milliseconds timeout)
    : box_(box),
      asker_(context.asker),
      client_(context.client),
      turn_(std::move(turn)),
      timeout_(timeout),
      deadline_(after(timeout)) {}

Task<Result<std::unique_ptr<ToolCall>>> ToolCall::begin(Toolbox& box, const CallContext& context,
                                                        std::chrono::milliseconds timeout) {
  // Each call before this one is bounded itself, and so is their number.
  auto turn = co_await box.driver.turns().take(after(kLongestWait));
  if (!turn) {
    co_return fail(ErrorCode::kTimeout,
                   "Another call on this tab is still running. Wait for it, or cancel it.");
  }
  auto call = std::unique_ptr<ToolCall>(new ToolCall(box, context, std::move(*turn), timeout));
  auto taken = co_await call->take_tab();
  if (!taken) co_return tl::unexpected(taken.error());
  co_return call;
}

Task<Result<void>> ToolCall::take_tab() {
  // Starting Chromium has its own time: a call's is for the page.
  auto browser = co_await box_.driver.ensure(after(std::chrono::seconds(30)));
  if (!browser) {
    tab_ = nullptr;
    co_return tl::unexpected(browser.error());
  }
  deadline_ = after(timeout_);
  tab_ = &(*browser)->tab();
  box_.reader.look_at(tab());
  box_.top_level.begin_call(asker_ != nullptr);
  co_return Result<void>{};
}

Task<AskReply> ToolCall::ask(Question question) {
  blocked();
  box_.top_level.end_call();
  turn_.reset();
  auto asking = asker_->ask(std::move(question), after(box_.config.confirm_timeout));
  AskReply reply = co_await std::move(asking);
  auto turn = co_await box_.driver.turns().take(after(kLongestWait));
  if (turn) turn_.emplace(std::move(*turn));
  const auto lost = [](const char* why) { return AskReply{std::nullopt, why, false}; };
  if (!turn_) {
    tab_ = nullptr;
    co_return lost("The tab did not become free again.");
  }
  auto taken = co_await take_tab();
  if (!taken) co_return lost("The browser did not start again.");
  co_return reply;
}

ToolCall::~ToolCall() {
  if (tab_ == nullptr || ended_) return;
  box_.top_level.end_call();
  box_.top_level.withdraw();
}

std::vector<Decided>& ToolCall::blocked() {
  if (!ended_ && tab_ != nullptr) {
    for (Decided& one : box_.top_level.take_blocked()) blocked_.push_back(std::move(one));
  }
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
  if (tab_ == nullptr) {
    error = Error(ErrorCode::kBrowserGone, "The tab was lost while the operator was asked.");
  } else if (!error && tab_->crashed()) {
    error = Error(ErrorCode::kTargetGone, "The page crashed. Navigate again.");
  } else if (!error && tab_->url().starts_with("chrome-error:")) {
    error = Error(ErrorCode::kNetwork, "The site can't be reached.");
  }
  co_await report_as(result, !error);
  if (error) result.set("error", error_block(*error));
}

Task<void> ToolCall::report_refused(Draft& result) { return report_as(result, false); }

Task<void> ToolCall::report_as(Draft& result, bool done) {
  blocked();
  ended_ = true;
  if (!blocked_.empty()) result.set("blocked", gate_blocks(blocked_));
  result.set("ok", done && blocked_.empty());
  if (tab_ == nullptr) {
    result.set("origin", "null");
    result.set("url", "about:blank");
    co_return;
  }
  box_.top_level.end_call();
  add_place(result, *tab_);
  if (const auto history = co_await tab_->history(after(kReportTimeout));
      history && !history->current.title.empty()) {
    result.set("title", page_text(history->current.title));
  }
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
