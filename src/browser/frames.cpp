#include "browser/frames.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "agentlock/url.hpp"
#include "cdp/protocol.hpp"

namespace agentlock::browser {
namespace {

constexpr std::size_t kMaxFrames = 1'000;

// about:blank and srcdoc documents have their creator's origin, which only
// Chromium's securityOrigin tells; it is "://" or "null" for opaque ones.
Origin origin_of(const Json& frame) {
  const auto url = Url::parse(string_member(frame, "securityOrigin"));
  return url ? url->origin() : Origin::opaque();
}

}  // namespace

Frames::Frames(cdp::FrameId main) : main_(std::move(main)) {
  frames_[main_].id = main_;
  order_.push_back(main_);
}

const Frame* Frames::find(const cdp::FrameId& id) const {
  const auto found = frames_.find(id);
  return found == frames_.end() ? nullptr : &found->second;
}

std::vector<const Frame*> Frames::children(const cdp::FrameId& parent) const {
  std::vector<const Frame*> children;
  for (const cdp::FrameId& id : order_) {
    const Frame& frame = frames_.at(id);
    if (frame.parent == parent) children.push_back(&frame);
  }
  return children;
}

std::vector<cdp::FrameId> Frames::local() const {
  std::vector<cdp::FrameId> local;
  for (const cdp::FrameId& id : order_) {
    if (!frames_.at(id).remote) local.push_back(id);
  }
  return local;
}

void Frames::reset(const Json& frame_tree) {
  if (const Json* tree = member(frame_tree, "frameTree")) add_tree(*tree);
}

void Frames::add_tree(const Json& tree) {
  if (const Json* frame = member(tree, "frame")) navigated(*frame);
  if (const Json* children = member(tree, "childFrames")) {
    for (const Json& child : *children) add_tree(child);
  }
}

void Frames::navigated(const Json& json) {
  const cdp::FrameId id(string_member(json, "id"));
  if (id.empty()) return;
  if (!frames_.contains(id)) {
    if (frames_.size() >= kMaxFrames) return;
    order_.push_back(id);
  }
  Frame& frame = frames_[id];
  const cdp::LoaderId loader(string_member(json, "loaderId"));
  const bool new_document = frame.loader != loader;
  frame.id = id;
  frame.parent = cdp::FrameId(string_member(json, "parentId"));
  frame.loader = loader;
  frame.url = string_member(json, "url") + string_member(json, "urlFragment");
  frame.origin = origin_of(json);
  frame.remote = false;
  if (id == main_ && new_document) {
    ++page_load_;
    for (const Frame* child : children(main_)) remove(cdp::FrameId(child->id));
  }
}

void Frames::remove(const cdp::FrameId& id) {
  for (const Frame* child : children(id)) remove(cdp::FrameId(child->id));
  if (id == main_) return;
  frames_.erase(id);
  order_.erase(std::remove(order_.begin(), order_.end(), id), order_.end());
}

void Frames::on_event(std::string_view method, const Json& params) {
  const cdp::FrameId id(string_member(params, "frameId"));
  if (method == cdp::kPageFrameNavigated) {
    if (const Json* frame = member(params, "frame")) navigated(*frame);
  } else if (method == cdp::kPageNavigatedWithinDocument) {
    if (const auto found = frames_.find(id); found != frames_.end()) {
      found->second.url = string_member(params, "url");
    }
  } else if (method == cdp::kPageFrameAttached) {
    if (!id.empty() && !frames_.contains(id) && frames_.size() < kMaxFrames) {
      frames_[id].id = id;
      frames_[id].parent = cdp::FrameId(string_member(params, "parentFrameId"));
      order_.push_back(id);
    }
  } else if (method == cdp::kPageFrameDetached) {
    const auto found = frames_.find(id);
    if (found == frames_.end()) return;
    if (string_member(params, "reason") == "swap") {
      // The next document's frames are told of in its own process.
      for (const Frame* child : children(id)) remove(cdp::FrameId(child->id));
      found->second.remote = true;
    } else {
      remove(id);
    }
  }
}

}  // namespace agentlock::browser
