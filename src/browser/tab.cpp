#include "browser/tab.hpp"

#include <nlohmann/json.hpp>

#include "browser/input_guard.hpp"
#include "cdp/protocol.hpp"

namespace agentlock::browser {
namespace {

constexpr std::string_view kWorldName = "agentlock";
constexpr std::size_t kMaxDialogs = 20;
constexpr std::size_t kMaxRemote = 200;

Json world_params(const cdp::FrameId& frame) {
  return {{"frameId", frame.value()}, {"worldName", std::string(kWorldName)}};
}

// Chromium's name of a network error, and no other text.
std::string network_error(const std::string& text) {
  constexpr std::string_view kPrefix = "net::ERR_";
  const bool known =
      text.starts_with(kPrefix) && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789",
                                                          kPrefix.size()) == std::string::npos;
  return known ? text : "an unknown network error";
}

Json guard_params(std::string script) {
  return {{"source", std::move(script)},
          {"worldName", std::string(kWorldName)},
          {"runImmediately", true}};
}

// Each is held at its start, so that the guard is there before its own scripts.
Json frames_of_other_processes() {
  Json filter = Json::array();
  filter.push_back(Json{{"type", "iframe"}});
  return {{"autoAttach", true},
          {"waitForDebuggerOnStart", true},
          {"flatten", true},
          {"filter", filter}};
}

}  // namespace

Tab::Tab(Executor executor, std::shared_ptr<cdp::Connection> connection, cdp::TargetId target)
    : connection_(std::move(connection)),
      target_(std::move(target)),
      frames_(cdp::FrameId(target_.value())),
      activity_(cdp::FrameId(target_.value())),
      changed_(std::move(executor)) {}

Task<Result<std::unique_ptr<Tab>>> Tab::attach(Executor executor,
                                               std::shared_ptr<cdp::Connection> connection,
                                               cdp::TargetId target, Deadline deadline) {
  auto tab = std::unique_ptr<Tab>(new Tab(std::move(executor), connection, target));
  Json params = {{"targetId", target.value()}, {"flatten", true}};
  auto attached =
      co_await connection->call({}, cdp::kTargetAttachToTarget, std::move(params), deadline);
  if (!attached) co_return fail(attached.error(), "attaching to a tab");
  tab->session_ = cdp::SessionId(string_member(*attached, "sessionId"));
  tab->subscription_ = connection->subscribe(*tab);
  auto prepared = co_await tab->prepare(deadline);
  if (!prepared) co_return fail(prepared.error(), "preparing a tab");
  co_return tab;
}

// Source: navigation.md, section 14, "first messages".
Task<Result<void>> Tab::prepare(Deadline deadline) {
  post(cdp::kPageEnable, Json::object());
  post(cdp::kInspectorEnable, Json::object());
  post(cdp::kPageSetLifecycleEventsEnabled, {{"enabled", true}});
  post(cdp::kNetworkEnable, {{"maxPostDataSize", 0}});
  post(cdp::kPageSetInterceptFileChooserDialog, {{"enabled", true}, {"cancel", true}});
  post(cdp::kWebAuthnEnable, {{"enableUI", false}});
  // A tab in the background takes clicks, but its page believes that nobody looks.
  post(cdp::kEmulationSetFocusEmulationEnabled, {{"enabled", true}});
  post(cdp::kPageAddScriptToEvaluateOnNewDocument, guard_params(std::string(input_guard_script())));
  post(cdp::kTargetSetAutoAttach, frames_of_other_processes());
  auto tree = co_await call(cdp::kPageGetFrameTree, Json::object(), deadline);
  if (!tree) co_return tl::unexpected(tree.error());
  frames_.reset(*tree);
  co_return Result<void>{};
}

Task<Result<Json>> Tab::call(std::string_view method, Json params, Deadline deadline) {
  return connection_->call(session_, method, std::move(params), deadline);
}

void Tab::post(std::string_view method, Json params) {
  connection_->post(session_, method, std::move(params));
}

void Tab::guard_remote_frame(const cdp::SessionId& frame) {
  if (remote_.size() >= kMaxRemote) return;  // it stays held
  remote_.insert(frame);
  // Page must be on, or an alert in the frame would block for ever.
  connection_->post(frame, cdp::kPageEnable, Json::object());
  connection_->post(frame, cdp::kPageAddScriptToEvaluateOnNewDocument,
                    guard_params(remote_input_guard_script()));
  connection_->post(frame, cdp::kTargetSetAutoAttach, frames_of_other_processes());
  connection_->post(frame, cdp::kRuntimeRunIfWaitingForDebugger, Json::object());
}

void Tab::on_event(const cdp::Event& event) {
  const bool remote = remote_.contains(event.session);
  if (event.session != session_ && !remote) return;
  if (event.method == cdp::kTargetAttachedToTarget) {
    guard_remote_frame(cdp::SessionId(string_member(event.params, "sessionId")));
    return;
  }
  if (event.method == cdp::kTargetDetachedFromTarget) {
    remote_.erase(cdp::SessionId(string_member(event.params, "sessionId")));
    return;
  }
  if (remote) {
    if (event.method == cdp::kPageJavascriptDialogOpening) dismiss(event.session, event.params);
    return;
  }
  if (event.method == cdp::kPageJavascriptDialogOpening) {
    dismiss(session_, event.params);
  } else if (event.method == cdp::kInspectorTargetCrashed) {
    crashed_ = true;
  } else if (event.method == cdp::kInspectorDetached) {
    closed_ = true;
  } else {
    if (event.method == cdp::kPageFrameNavigated) crashed_ = false;
    frames_.on_event(event.method, event.params);
    activity_.on_event(event.method, event.params);
  }
  changed_.notify();
}

void Tab::on_closed(const Error& /*reason*/) {
  closed_ = true;
  changed_.notify();
}

// Nobody is there to answer, and an open dialog stops the page and all that wait
// for it. Leaving a page is not for the page to forbid; all else is declined.
void Tab::dismiss(const cdp::SessionId& session, const Json& dialog) {
  Dialog seen{string_member(dialog, "type"), string_member(dialog, "message")};
  connection_->post(session, cdp::kPageHandleJavaScriptDialog,
                    {{"accept", seen.type == "beforeunload"}});
  if (dialogs_.size() < kMaxDialogs) dialogs_.push_back(std::move(seen));
}

std::vector<Dialog> Tab::take_dialogs() {
  std::vector<Dialog> taken(dialogs_.begin(), dialogs_.end());
  dialogs_.clear();
  return taken;
}

Task<Result<void>> Tab::navigate(const Url& url, Deadline deadline) {
  begin_act();
  Json params = {{"url", url.href()}};
  auto reply = co_await call(cdp::kPageNavigate, std::move(params), deadline);
  if (!reply) {
    stop();
    co_return tl::unexpected(reply.error());
  }
  if (const std::string text = string_member(*reply, "errorText"); !text.empty()) {
    if (text == "net::ERR_ABORTED") {
      co_return fail(ErrorCode::kRefused, "the navigation ended without a new page");
    }
    co_return fail(ErrorCode::kNetwork, "The site can't be reached: " + network_error(text) + ".");
  }
  co_await loaded(deadline);
  co_return Result<void>{};
}

Task<Result<void>> Tab::follow(const Url& url, Deadline deadline) {
  auto here = co_await world(frames_.main().id, deadline);
  if (!here) co_return tl::unexpected(here.error());
  begin_act();
  const std::uint64_t page_load = frames_.page_load();
  Json arguments = Json::array();
  arguments.push_back(Json{{"value", url.href()}});
  Json params = {{"functionDeclaration", "function(url) { location.assign(url); }"},
                 {"executionContextId", here->context},
                 {"arguments", arguments}};
  auto reply = co_await call(cdp::kRuntimeCallFunctionOn, std::move(params), deadline);
  // The document that was asked may be gone by the time it would answer.
  const bool left =
      !reply && (reply.error().code() == ErrorCode::kStale || frames_.page_load() != page_load);
  if (!reply && !left) co_return tl::unexpected(reply.error());
  co_return Result<void>{};
}

Task<Result<Tab::History>> Tab::history(Deadline deadline) {
  auto reply = co_await call(cdp::kPageGetNavigationHistory, Json::object(), deadline);
  if (!reply) co_return tl::unexpected(reply.error());
  const Json* entries = member(*reply, "entries");
  const Json* index = member(*reply, "currentIndex");
  if (entries == nullptr || !entries->is_array() || index == nullptr ||
      !index->is_number_unsigned() || index->get<std::size_t>() >= entries->size()) {
    co_return fail(ErrorCode::kProtocol, "Chromium told no usable navigation history");
  }
  const auto entry_at = [&](std::size_t at) {
    const Json& entry = (*entries)[at];
    const Json* id = member(entry, "id");
    return HistoryEntry{id != nullptr && id->is_number_integer() ? id->get<std::int64_t>() : -1,
                        string_member(entry, "url"), string_member(entry, "title")};
  };
  const auto current = index->get<std::size_t>();
  History history{entry_at(current), std::nullopt};
  if (current > 0) history.previous = entry_at(current - 1);
  co_return history;
}

Task<Result<void>> Tab::go_to_entry(std::int64_t id, Deadline deadline) {
  begin_act();
  auto reply = co_await call(cdp::kPageNavigateToHistoryEntry, {{"entryId", id}}, deadline);
  if (!reply) co_return tl::unexpected(reply.error());
  co_return Result<void>{};
}

void Tab::stop() { post(cdp::kPageStopLoading, Json::object()); }

Task<Result<Tab::World>> Tab::world(const cdp::FrameId& frame, Deadline deadline) {
  if (closed_) co_return fail(ErrorCode::kTargetGone, "The tab was closed. Navigate again.");
  if (crashed_) co_return fail(ErrorCode::kTargetGone, "The page crashed. Navigate again.");
  const Frame* known = frames_.find(frame);
  if (known == nullptr || known->remote) {
    co_return fail(ErrorCode::kTargetGone, "the frame is not in this tab's process any more");
  }
  const cdp::LoaderId document = known->loader;
  auto reply = co_await call(cdp::kPageCreateIsolatedWorld, world_params(frame), deadline);
  if (!reply) co_return tl::unexpected(reply.error());
  const Json* context = member(*reply, "executionContextId");
  if (context == nullptr || !context->is_number_integer()) {
    co_return fail(ErrorCode::kProtocol, "Chromium made no script world");
  }
  co_return World{document, context->get<std::int64_t>()};
}

}  // namespace agentlock::browser
