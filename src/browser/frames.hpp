#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/origin.hpp"
#include "base/json.hpp"
#include "cdp/ids.hpp"

namespace agentlock::browser {

/// A frame of a tab, as Chromium (not the page) describes it.
struct Frame {
  cdp::FrameId id;
  cdp::FrameId parent;  ///< empty for the main frame
  cdp::LoaderId loader;
  std::string url;
  Origin origin = Origin::opaque();
  /// It runs in another process: its document can't be reached from the tab's session.
  bool remote = false;
};

/// Which frames a tab has, from its page session's events. No I/O.
class Frames {
 public:
  explicit Frames(cdp::FrameId main);

  /// Takes Page.getFrameTree's reply as the state to start from.
  void reset(const Json& frame_tree);
  void on_event(std::string_view method, const Json& params);

  const Frame& main() const { return frames_.at(main_); }
  const Frame* find(const cdp::FrameId& id) const;
  /// Children in the order in which they were attached.
  std::vector<const Frame*> children(const cdp::FrameId& parent) const;
  /// All frames whose documents run in the tab's own process, the main one first.
  std::vector<cdp::FrameId> local() const;
  /// Grows with each committed main-frame document; 0 before the first.
  std::uint64_t page_load() const { return page_load_; }
  std::size_t size() const { return frames_.size(); }

 private:
  void navigated(const Json& frame);
  void add_tree(const Json& tree);
  void remove(const cdp::FrameId& id);

  cdp::FrameId main_;
  std::map<cdp::FrameId, Frame> frames_;
  std::vector<cdp::FrameId> order_;
  std::uint64_t page_load_ = 0;
};

}  // namespace agentlock::browser
