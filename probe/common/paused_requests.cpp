#include "common/paused_requests.hpp"

#include <nlohmann/json.hpp>

namespace agentlock::probe {

PausedRequests::PausedRequests(ProbeBrowser& browser, std::string refused_host, Answer answer)
    : browser_(browser), refused_host_(std::move(refused_host)), answer_(answer) {
  browser_.on_event([this](const Json& event) { take(event); });
  Json pattern = {{"urlPattern", "*"}, {"requestStage", "Request"}};
  Json patterns = Json::array();
  patterns.push_back(std::move(pattern));
  browser_.call("Fetch.enable", {{"patterns", std::move(patterns)}});
}

void PausedRequests::take(const Json& event) {
  const std::string method = string_member(event, "method");
  const Json& params = event.at("params");
  if (method == "Target.targetCreated" && params.at("targetInfo").at("type") == "page") {
    pages_.insert(params.at("targetInfo").at("targetId").get<std::string>());
  }
  if (method != "Fetch.requestPaused") return;
  Pause pause;
  pause.url = params.at("request").at("url");
  pause.type = params.at("resourceType");
  pause.frame = string_member(params, "frameId");
  pause.redirected_from = string_member(params, "redirectedRequestId");
  pause.service_worker_script = params.at("request").at("headers").contains("Service-Worker");
  pause.main_frame = pages_.contains(pause.frame);
  Json answer = {{"requestId", params.at("requestId")}};
  if (pause.service_worker_script) {
    answer["responseCode"] = 404;
    browser_.send("Fetch.fulfillRequest", std::move(answer));
  } else if (pause.type != "Document" || host_of(pause.url) != refused_host_) {
    browser_.send("Fetch.continueRequest", std::move(answer));
  } else if (answer_ == Answer::kNoContent) {
    answer["responseCode"] = 204;
    browser_.send("Fetch.fulfillRequest", std::move(answer));
  } else {
    answer["errorReason"] = answer_ == Answer::kAborted ? "Aborted" : "BlockedByClient";
    browser_.send("Fetch.failRequest", std::move(answer));
  }
  pauses_.push_back(std::move(pause));
}

std::string host_of(std::string_view url) {
  const std::size_t start = url.find("://");
  if (start == std::string_view::npos) return {};
  const std::string_view rest = url.substr(start + 3);
  return std::string(rest.substr(0, rest.find_first_of(":/?#")));
}

}  // namespace agentlock::probe
