#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "browser/tab.hpp"

namespace agentlock::browser {

/// A node of a document, held by a script world of ours.
struct NodeHandle {
  Tab::World world;
  std::string object;
};

/// A point of the top-level viewport, in CSS pixels.
struct Point {
  double x;
  double y;
};

/// Where the viewport of a frame of the tab's process begins in that of the tab.
Task<Result<Point>> frame_offset(Tab& tab, const cdp::FrameId& frame, Deadline deadline);

/// The node that a click at the point would reach, as an object of `world`. Chromium
/// answers, not the page.
Task<Result<NodeHandle>> node_at(Tab& tab, Point point, Tab::World world, Deadline deadline);

/// What became of an input event: the guard saw it go to the node, or kept it from
/// something else, or saw nothing (the document that saw it may be gone).
enum class Delivery { kArrived, kStolen, kLost };

/// A trusted click: move, press, release. Where the guard finds that it would hit
/// something else it is cancelled.
Task<Result<Delivery>> click(Tab& tab, const NodeHandle& node, Point point, Deadline deadline);

/// Gives the node the focus.
Task<Result<void>> focus(Tab& tab, const NodeHandle& node, Deadline deadline);

/// Inserts text as typing or pasting does, in place of what is selected; the node
/// must have the focus, and no other document can take what it loses meanwhile.
Task<Result<Delivery>> insert_text(Tab& tab, const NodeHandle& node, std::string text,
                                   Deadline deadline);

/// Presses Backspace in the node: deletes what is selected there.
Task<Result<Delivery>> delete_selection(Tab& tab, const NodeHandle& node, Deadline deadline);

}  // namespace agentlock::browser
