#include "browser/activity.hpp"

#include <nlohmann/json.hpp>

#include "cdp/protocol.hpp"

namespace agentlock::browser {
namespace {

constexpr std::size_t kMaxRequests = 10'000;

}  // namespace

void Activity::on_event(std::string_view method, const Json& params) {
  const bool main = string_member(params, "frameId") == main_.value();
  if (method == cdp::kPageFrameRequestedNavigation) {
    // The other dispositions open a tab, or download: this document stays.
    if (main && string_member(params, "disposition") == "currentTab") {
      navigating_ = true;
      ++count_;
    }
  } else if (method == cdp::kPageFrameStartedNavigating) {
    if (main && !string_member(params, "navigationType").ends_with("ameDocument")) {
      navigating_ = true;
      ++count_;
    }
  } else if (method == cdp::kPageFrameStartedLoading) {
    if (main) {
      loading_ = true;
      ++count_;
    }
  } else if (method == cdp::kPageFrameStoppedLoading) {
    // Comes after the load event, and after a refusal with 204 as well.
    if (main) {
      loading_ = false;
      navigating_ = false;
    }
  } else if (method == cdp::kPageNavigatedWithinDocument) {
    if (main) {
      navigating_ = false;
      ++count_;
    }
  } else if (method == cdp::kPageFrameNavigated) {
    const Json* frame = member(params, "frame");
    if (frame != nullptr && string_member(*frame, "id") == main_.value()) {
      navigating_ = false;
      requests_.clear();
      ++count_;
    }
  } else if (method == cdp::kNetworkRequestWillBeSent) {
    const std::string type = string_member(params, "type");
    if ((type == "XHR" || type == "Fetch" || type == "Script") && requests_.size() < kMaxRequests) {
      requests_.insert(string_member(params, "requestId"));
      ++count_;
    }
  } else if (method == cdp::kNetworkLoadingFinished || method == cdp::kNetworkLoadingFailed) {
    requests_.erase(string_member(params, "requestId"));
  }
}

}  // namespace agentlock::browser
