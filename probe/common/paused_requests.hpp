#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/probe_browser.hpp"

namespace agentlock::probe {

/// Pauses every request on the browser's own session and answers at once: 204 for a
/// document of the host given, 404 for the script of a service worker, on with the
/// rest. Remembers what was paused. Must outlive the browser's last step.
class PausedRequests {
 public:
  /// How a document of the refused host is answered.
  enum class Answer { kNoContent, kAborted, kBlockedByClient };

  PausedRequests(ProbeBrowser& browser, std::string refused_host,
                 Answer answer = Answer::kNoContent);

  struct Pause {
    std::string url;
    std::string type;
    std::string frame;
    /// The request that was redirected to this one, if any.
    std::string redirected_from;
    bool service_worker_script = false;
    /// The frame is a page target's main frame, and the target was announced before.
    bool main_frame = false;
  };
  const std::vector<Pause>& pauses() const { return pauses_; }
  void forget() { pauses_.clear(); }

 private:
  void take(const Json& event);
  ProbeBrowser& browser_;
  std::string refused_host_;
  Answer answer_;
  std::set<std::string> pages_;
  std::vector<Pause> pauses_;
};

/// The host of an absolute URL.
std::string host_of(std::string_view url);

}  // namespace agentlock::probe
