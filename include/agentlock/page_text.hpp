#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "agentlock/origin.hpp"

namespace agentlock {

class Disclosure;

/// A string that came off a page: its text, URL, title, an error that quotes it,
/// the host of a frame. It has no way back to a plain string: only disclose()
/// takes it out, and that records it in the ledger first.
class PageText {
 public:
  /// `element` is the id of the element or block that it was read from, if any.
  PageText(std::string text, Origin origin, std::string element = "")
      : text_(std::move(text)), origin_(std::move(origin)), element_(std::move(element)) {}

  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }
  const Origin& origin() const { return origin_; }

 private:
  friend class Disclosure;

  std::string text_;
  Origin origin_;
  std::string element_;
};

}  // namespace agentlock
