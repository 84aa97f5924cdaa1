#include "browser/input.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "browser/input_guard.hpp"
#include "cdp/protocol.hpp"

namespace agentlock::browser {
namespace {

enum class Arm { kPointer, kText };

Json node_params(const NodeHandle& node) { return {{"objectId", node.object}}; }

// Arms the guard of every document of the tab's process: for the node in its own,
// for nothing in the others. Documents in other processes always are.
Task<Result<void>> arm(Tab& tab, const NodeHandle& node, Arm what, Deadline deadline) {
  const std::string name = what == Arm::kPointer ? "armPointer" : "armText";
  for (const cdp::FrameId& frame : tab.frames().local()) {
    auto world = co_await tab.world(frame, deadline);
    if (!world) {
      // A frame that went away meanwhile takes nothing.
      const Frame* now = tab.frames().find(frame);
      if (now == nullptr || now->remote) continue;
      co_return tl::unexpected(world.error());
    }
    Json arguments = Json::array();
    if (*world == node.world) arguments.push_back(node_params(node));
    Json params = {
        {"functionDeclaration", "function(node) { agentlockGuard." + name + "(node ?? null); }"},
        {"executionContextId", world->context},
        {"arguments", arguments}};
    auto armed = co_await tab.call(cdp::kRuntimeCallFunctionOn, std::move(params), deadline);
    if (!armed) co_return tl::unexpected(armed.error());
    if (member(*armed, "exceptionDetails") != nullptr) {
      co_return fail(ErrorCode::kTargetGone, "a document of the page could not be guarded");
    }
  }
  co_return Result<void>{};
}

Task<Delivery> disarm(Tab& tab, const NodeHandle& node, Deadline deadline) {
  Delivery delivery = Delivery::kLost;
  for (const cdp::FrameId& frame : tab.frames().local()) {
    auto world = co_await tab.world(frame, deadline);
    if (!world) continue;
    Json params = {{"expression", "agentlockGuard.disarm()"},
                   {"contextId", world->context},
                   {"returnByValue", true}};
    auto reply = co_await tab.call(cdp::kRuntimeEvaluate, std::move(params), deadline);
    if (!reply) continue;
    const Json* result = member(*reply, "result");
    const std::string outcome = result != nullptr ? string_member(*result, "value") : "";
    if (outcome == "stolen") delivery = Delivery::kStolen;
    if (outcome == "arrived" && *world == node.world && delivery == Delivery::kLost) {
      delivery = Delivery::kArrived;
    }
  }
  co_return delivery;
}

// A document that comes to be after this takes no text for a second, so what follows
// must happen within less.
Task<Result<void>> arm_for_text(Tab& tab, const NodeHandle& node, Deadline deadline) {
  const Deadline armed_until = after(std::chrono::milliseconds(500));
  co_return co_await arm(tab, node, Arm::kText, std::min(deadline, armed_until));
}

Json mouse_event(std::string_view type, Point point, int buttons) {
  Json event = {{"type", std::string(type)}, {"x", point.x}, {"y", point.y}, {"buttons", buttons}};
  if (type != "mouseMoved") {
    event["button"] = "left";
    event["clickCount"] = 1;
  }
  return event;
}

}  // namespace

Task<Result<Point>> frame_offset(Tab& tab, const cdp::FrameId& frame, Deadline deadline) {
  if (frame == tab.frames().main().id) co_return Point{0, 0};
  Json of_frame = {{"frameId", frame.value()}};
  auto owner = co_await tab.call(cdp::kDOMGetFrameOwner, std::move(of_frame), deadline);
  if (!owner) co_return tl::unexpected(owner.error());
  const Json* id = member(*owner, "backendNodeId");
  if (id == nullptr) co_return fail(ErrorCode::kProtocol, "Chromium named no owner of the frame");
  Json of_owner = {{"backendNodeId", *id}};
  auto box = co_await tab.call(cdp::kDOMGetBoxModel, std::move(of_owner), deadline);
  if (!box) co_return tl::unexpected(box.error());
  const Json* model = member(*box, "model");
  const Json* content = model != nullptr ? member(*model, "content") : nullptr;
  if (content == nullptr || content->size() != 8 || !(*content)[0].is_number() ||
      !(*content)[1].is_number()) {
    co_return fail(ErrorCode::kProtocol, "Chromium measured no box for the frame");
  }
  co_return Point{(*content)[0].get<double>(), (*content)[1].get<double>()};
}

Task<Result<NodeHandle>> node_at(Tab& tab, Point point, Tab::World world, Deadline deadline) {
  Json where = {{"x", std::lround(point.x)}, {"y", std::lround(point.y)}};
  auto found = co_await tab.call(cdp::kDOMGetNodeForLocation, std::move(where), deadline);
  if (!found) co_return tl::unexpected(found.error());
  const Json* id = member(*found, "backendNodeId");
  if (id == nullptr) co_return fail(ErrorCode::kProtocol, "Chromium named no node at the point");
  Json params = {{"backendNodeId", *id}, {"executionContextId", world.context}};
  auto resolved = co_await tab.call(cdp::kDOMResolveNode, std::move(params), deadline);
  if (!resolved) co_return tl::unexpected(resolved.error());
  const Json* object = member(*resolved, "object");
  if (object == nullptr) co_return fail(ErrorCode::kProtocol, "Chromium resolved no node");
  co_return NodeHandle{std::move(world), string_member(*object, "objectId")};
}

Task<Result<Delivery>> click(Tab& tab, const NodeHandle& node, Point point, Deadline deadline) {
  auto armed = co_await arm(tab, node, Arm::kPointer, deadline);
  if (!armed) co_return tl::unexpected(armed.error());
  tab.begin_act();
  const std::uint64_t page_load = tab.frames().page_load();
  // All three leave in one go: a handler that navigates on the press would keep the
  // release from being answered.
  tab.post(cdp::kInputDispatchMouseEvent, mouse_event("mouseMoved", point, 0));
  tab.post(cdp::kInputDispatchMouseEvent, mouse_event("mousePressed", point, 1));
  auto released = co_await tab.call(cdp::kInputDispatchMouseEvent,
                                    mouse_event("mouseReleased", point, 0), deadline);
  if (!released && released.error().code() != ErrorCode::kTargetGone) {
    co_return tl::unexpected(released.error());
  }
  const Delivery delivery = co_await disarm(tab, node, deadline);
  // The document that saw the click may be gone by now, which is what it did.
  bool document_there = false;
  for (const cdp::FrameId& frame : tab.frames().local()) {
    document_there = document_there || tab.frames().find(frame)->loader == node.world.document;
  }
  const bool gone = !document_there || tab.frames().page_load() != page_load;
  if (delivery == Delivery::kLost && gone) co_return Delivery::kArrived;
  co_return delivery;
}

Task<Result<void>> focus(Tab& tab, const NodeHandle& node, Deadline deadline) {
  auto focused = co_await tab.call(cdp::kDOMFocus, node_params(node), deadline);
  if (!focused) co_return tl::unexpected(focused.error());
  co_return Result<void>{};
}

Task<Result<Delivery>> insert_text(Tab& tab, const NodeHandle& node, std::string text,
                                   Deadline deadline) {
  auto armed = co_await arm_for_text(tab, node, deadline);
  if (!armed) co_return tl::unexpected(armed.error());
  Json params = {{"text", std::move(text)}};
  auto inserted = co_await tab.call(cdp::kInputInsertText, std::move(params), deadline);
  const Delivery delivery = co_await disarm(tab, node, deadline);
  if (!inserted) co_return tl::unexpected(inserted.error());
  co_return delivery;
}

Task<Result<Delivery>> delete_selection(Tab& tab, const NodeHandle& node, Deadline deadline) {
  auto armed = co_await arm_for_text(tab, node, deadline);
  if (!armed) co_return tl::unexpected(armed.error());
  Json down = {{"type", "keyDown"},
               {"key", "Backspace"},
               {"code", "Backspace"},
               {"windowsVirtualKeyCode", 8}};
  Json up = {
      {"type", "keyUp"}, {"key", "Backspace"}, {"code", "Backspace"}, {"windowsVirtualKeyCode", 8}};
  tab.post(cdp::kInputDispatchKeyEvent, std::move(down));
  auto released = co_await tab.call(cdp::kInputDispatchKeyEvent, std::move(up), deadline);
  const Delivery delivery = co_await disarm(tab, node, deadline);
  if (!released) co_return tl::unexpected(released.error());
  co_return delivery;
}

}  // namespace agentlock::browser
