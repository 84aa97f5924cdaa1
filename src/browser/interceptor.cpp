#include "browser/interceptor.hpp"

#include <exception>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/log.hpp"
#include "cdp/protocol.hpp"
#include "url/ascii.hpp"

// Problem: a page can leave for another origin in dozens of ways (links, forms,
// scripts, redirects, popups, refreshes, frames that break out), and each of them
// sends something before it is seen in the page.
//
// Method: Fetch is enabled once, on the browser session, with the pattern `*`. Then
// every request pauses, of every present and future tab, frame and worker, without
// a race (probe/fetch_pausing). Enabling it on page sessions instead would miss
// popups and out-of-process frames. A request is a top-level navigation exactly if
// its frame id is the id of a target of type page; a new target is announced before
// its first request (probe/popups).
//
// What is refused is answered 204 at once: the page stays as it is, and it is never
// frozen while a person thinks, which a held navigation would do. Service worker
// scripts get 404, so that no worker can answer a later navigation unseen.
//
// Invariant: a top-level document request is continued only after the judge has
// said so. A page that is not ours, a judge that throws, a message that can't be
// read: all end as refused, or stay paused, and a paused request sends nothing.
//
// Limits: requests of frames and subresources go on as they are; which hosts they
// may reach is a later concern.

namespace agentlock::browser {
namespace {

constexpr std::size_t kMaxAnnounced = 32;

bool is_service_worker_script(const Json& request) {
  const Json* headers = member(request, "headers");
  if (headers == nullptr || !headers->is_object()) return false;
  for (const auto& [name, value] : headers->items()) {
    if (url::to_lower(name) == "service-worker") return true;
  }
  return false;
}

}  // namespace

Interceptor::Interceptor(std::shared_ptr<cdp::Connection> connection, DocumentJudge& judge)
    : connection_(std::move(connection)), judge_(judge) {}

Task<Result<std::unique_ptr<Interceptor>>> Interceptor::install(
    std::shared_ptr<cdp::Connection> connection, DocumentJudge& judge, Deadline deadline) {
  auto interceptor = std::unique_ptr<Interceptor>(new Interceptor(connection, judge));
  interceptor->subscription_ = connection->subscribe(*interceptor);

  Json discover = {{"discover", true}};
  Json patterns = Json::array();
  patterns.push_back(Json{{"urlPattern", "*"}, {"requestStage", "Request"}});
  Json fetch = {{"patterns", patterns}, {"handleAuthRequests", true}};
  auto discovered =
      co_await connection->call({}, cdp::kTargetSetDiscoverTargets, std::move(discover), deadline);
  if (!discovered) co_return fail(discovered.error(), "watching for new pages");
  auto fetching = co_await connection->call({}, cdp::kFetchEnable, std::move(fetch), deadline);
  if (!fetching) co_return fail(fetching.error(), "intercepting requests");
  co_return interceptor;
}

void Interceptor::on_event(const cdp::Event& event) {
  if (event.method == cdp::kFetchRequestPaused) {
    on_request(event.params);
  } else if (event.method == cdp::kFetchAuthRequired) {
    Json answer = {{"requestId", string_member(event.params, "requestId")},
                   {"authChallengeResponse", {{"response", "CancelAuth"}}}};
    connection_->post(event.session, cdp::kFetchContinueWithAuth, std::move(answer));
  } else if (event.method == cdp::kTargetTargetCreated) {
    if (const Json* info = member(event.params, "targetInfo")) on_target(*info);
  } else if (event.method == cdp::kTargetTargetDestroyed) {
    const cdp::TargetId tab(string_member(event.params, "targetId"));
    pages_.erase(tab);
    closing_.erase(tab);
    ours_.erase(tab);
  } else if (event.method == cdp::kPageFrameNavigated) {
    // Windows that the last document asked for and did not get.
    announced_.clear();
  } else if (event.method == cdp::kPageWindowOpen) {
    if (announced_.size() < kMaxAnnounced) {
      announced_.push_back(string_member(event.params, "url"));
    }
  }
}

void Interceptor::on_target(const Json& info) {
  if (string_member(info, "type") != "page") return;
  const cdp::TargetId tab(string_member(info, "targetId"));
  pages_.insert(tab);
  const cdp::TargetId opener(string_member(info, "openerId"));
  if (opener.empty() && expected_ > 0) {
    --expected_;
    ours_.insert(tab);
    return;
  }
  std::string url = string_member(info, "url");
  if (!opener.empty() && !announced_.empty()) {
    url = announced_.front();
    announced_.pop_front();
  }
  close_page(tab, opener, std::move(url));
}

// A page that opens without being asked for is closed on sight: an alert in it
// would block its opener for ever.
void Interceptor::close_page(const cdp::TargetId& tab, const cdp::TargetId& opener,
                             std::string url) {
  if (!closing_.insert(tab).second) return;
  Json target = {{"targetId", tab.value()}};
  connection_->post({}, cdp::kTargetCloseTarget, std::move(target));
  try {
    judge_.new_page({tab, opener, std::move(url)});
  } catch (const std::exception& error) {
    log::error(std::string("a closed page could not be written down: ") + error.what());
  }
}

void Interceptor::on_request(const Json& params) {
  const Json* request = member(params, "request");
  if (request == nullptr) {
    fulfil(params, 204);
    return;
  }
  if (is_service_worker_script(*request)) {
    fulfil(params, 404);
    return;
  }
  const std::string type = string_member(params, "resourceType");
  const cdp::TargetId frame(string_member(params, "frameId"));
  const bool document = type == "Document";
  if (type.empty() || (document && frame.empty())) {
    fulfil(params, 204);
  } else if (document && pages_.contains(frame)) {
    on_document(params, frame);
  } else {
    proceed(params);
  }
}

void Interceptor::on_document(const Json& params, const cdp::TargetId& tab) {
  const Json& request = params.at("request");
  std::string url = string_member(request, "url") + string_member(request, "urlFragment");
  if (!ours_.contains(tab)) {
    fulfil(params, 204);
    close_page(tab, {}, std::move(url));
    return;
  }
  const DocumentRequest document{
      .tab = tab,
      .url = std::move(url),
      .method = string_member(request, "method"),
      .navigation = string_member(params, "networkId"),
      .redirect = member(params, "redirectedRequestId") != nullptr,
  };
  if (ask(document) == Ruling::kContinue) {
    proceed(params);
  } else {
    fulfil(params, 204);
  }
}

Ruling Interceptor::ask(const DocumentRequest& request) {
  try {
    return judge_.rule(request);
  } catch (const std::exception& error) {
    log::error(std::string("a navigation was refused, because judging it failed: ") + error.what());
    return Ruling::kRefuse;
  }
}

void Interceptor::proceed(const Json& params) {
  Json answer = {{"requestId", string_member(params, "requestId")}};
  connection_->post({}, cdp::kFetchContinueRequest, std::move(answer));
}

void Interceptor::fulfil(const Json& params, int status) {
  Json answer = {{"requestId", string_member(params, "requestId")}, {"responseCode", status}};
  connection_->post({}, cdp::kFetchFulfillRequest, std::move(answer));
}

}  // namespace agentlock::browser
