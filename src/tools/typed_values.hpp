#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "browser/tab.hpp"

namespace agentlock::tools {

/// What was typed into the tab's fields since its page was loaded: a code that is typed
/// in pieces is judged as one (attacks.md A26). All forms of a page count as one, as
/// only the page says which form a field belongs to.
class TypedValues {
 public:
  /// The last ones, in order, and none of an earlier page.
  std::vector<std::string> on(const browser::Tab& tab);
  void add(const browser::Tab& tab, std::string value);

 private:
  void look_at(const browser::Tab& tab);

  std::optional<cdp::TargetId> target_;
  std::uint64_t page_load_ = 0;
  std::deque<std::string> values_;
};

}  // namespace agentlock::tools
