#pragma once

#include <compare>
#include <functional>
#include <string>
#include <utility>

namespace agentlock::cdp {

/// A name that Chromium gave to something: only compared and sent back.
template <typename Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string value) : value_(std::move(value)) {}

  const std::string& value() const { return value_; }
  bool empty() const { return value_.empty(); }
  auto operator<=>(const Id&) const = default;

 private:
  std::string value_;
};

/// A flattened session with one target; the empty one is the browser itself.
using SessionId = Id<struct SessionTag>;
/// A tab, frame process, worker. A page target's id is also its main frame's id.
using TargetId = Id<struct TargetTag>;
using FrameId = Id<struct FrameTag>;
/// One document in one frame; changes with each committed navigation.
using LoaderId = Id<struct LoaderTag>;

}  // namespace agentlock::cdp

template <typename Tag>
struct std::hash<agentlock::cdp::Id<Tag>> {
  std::size_t operator()(const agentlock::cdp::Id<Tag>& id) const noexcept {
    return std::hash<std::string>()(id.value());
  }
};
