#include "perception/element_ids.hpp"

#include <charconv>
#include <optional>

namespace agentlock::perception {
namespace {

struct Parts {
  std::uint64_t page_load;
  char kind;
};

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// p<page load>-e<n> or p<page load>-b<n>.
std::optional<Parts> parts_of(std::string_view id) {
  const std::size_t dash = id.find('-');
  if (!id.starts_with('p') || dash == std::string_view::npos || dash + 2 >= id.size()) {
    return std::nullopt;
  }
  const auto page_load = whole_number(id.substr(1, dash - 1));
  const char kind = id[dash + 1];
  if (!page_load || (kind != 'e' && kind != 'b') || !whole_number(id.substr(dash + 2))) {
    return std::nullopt;
  }
  return Parts{*page_load, kind};
}

}  // namespace

void ElementIds::start_page_load() {
  ++page_load_;
  by_node_.clear();
  by_id_.clear();
  elements_ = 0;
  blocks_ = 0;
}

const std::string& ElementIds::mint(const NodeKey& node) {
  std::string& id = by_node_[node];
  if (id.empty()) {
    const bool element = node.kind == IdKind::kElement;
    std::uint64_t& count = element ? elements_ : blocks_;
    id = "p" + std::to_string(page_load_) + (element ? "-e" : "-b") + std::to_string(++count);
    by_id_.emplace(id, Minted{node, ""});
  }
  return id;
}

void ElementIds::report_href(const std::string& id, std::string href) {
  if (const auto found = by_id_.find(id); found != by_id_.end()) {
    found->second.href = std::move(href);
  }
}

Result<ElementIds::Found> ElementIds::find_element(std::string_view id) const {
  const auto parts = parts_of(id);
  if (!parts) {
    return fail(ErrorCode::kInvalidArgument,
                "This is no element id: they look like p1-e5. Take one from snapshot.");
  }
  if (parts->page_load != page_load_) {
    return fail(ErrorCode::kStale,
                "This id belongs to another page load: the page has changed since. Call snapshot "
                "again and take the new id.");
  }
  if (parts->kind != 'e') {
    return fail(ErrorCode::kInvalidArgument,
                "This is the id of a text block. Take an element's id from snapshot.");
  }
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) {
    return fail(ErrorCode::kNotFound,
                "This id was never given out for this page. Take one from snapshot.");
  }
  return Found{found->second.node, found->second.href};
}

}  // namespace agentlock::perception
