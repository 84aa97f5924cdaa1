#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "cdp/ids.hpp"

namespace agentlock::browser {

/// What a tab is busy with, from its page session's events: is a main-frame
/// navigation under way, is the document still loading, does a script wait for a
/// request. No I/O.
class Activity {
 public:
  explicit Activity(cdp::FrameId main) : main_(std::move(main)) {}

  void on_event(std::string_view method, const Json& params);
  /// What scripts wait for from before is no concern any more.
  void forget_requests() { requests_.clear(); }

  /// A main-frame navigation was asked for and has neither ended nor been refused.
  bool navigating() const { return navigating_; }
  bool loading() const { return loading_; }
  /// Requests that scripts of the document wait for.
  bool fetching() const { return !requests_.empty(); }

  /// Grows with each thing that an act of ours may have set off.
  std::uint64_t count() const { return count_; }

 private:
  cdp::FrameId main_;
  bool navigating_ = false;
  bool loading_ = false;
  std::set<std::string> requests_;
  std::uint64_t count_ = 0;
};

}  // namespace agentlock::browser
