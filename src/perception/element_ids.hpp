#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/result.hpp"
#include "cdp/ids.hpp"

namespace agentlock::perception {

enum class IdKind { kElement, kBlock };

/// A node of one document, by the number that the reader script gave it.
struct NodeKey {
  cdp::FrameId frame;
  cdp::LoaderId document;
  IdKind kind;
  std::int64_t number;
  auto operator<=>(const NodeKey&) const = default;
};

/// Mints the ids by which a client names what it has read: `<page-load>-e<n>` for
/// elements, `<page-load>-b<n>` for blocks. A node keeps its id as long as the page
/// load lasts; no id is ever minted twice in a session. Source: tools.md, "Tools".
class ElementIds {
 public:
  /// The ids of all earlier page loads are stale from now on.
  void start_page_load();
  std::uint64_t page_load() const { return page_load_; }

  const std::string& mint(const NodeKey& node);
  /// Remembers the address that was reported with a link's id.
  void report_href(const std::string& id, std::string href);

  struct Found {
    NodeKey node;
    std::string href;  ///< as it was last reported; empty if none was
  };
  /// An element's node. kStale for another page load, kInvalidArgument for what is
  /// no id or a block's, kNotFound for one that was never given out; each says what
  /// to do, and none repeats the id.
  Result<Found> find_element(std::string_view id) const;

 private:
  struct Minted {
    NodeKey node;
    std::string href;
  };
  std::uint64_t page_load_ = 0;
  std::map<NodeKey, std::string> by_node_;
  std::map<std::string, Minted, std::less<>> by_id_;
  std::uint64_t elements_ = 0;
  std::uint64_t blocks_ = 0;
};

}  // namespace agentlock::perception
