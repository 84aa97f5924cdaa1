#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentlock::bench {

/// A kind of page text, made and not quoted: the same bytes on every machine.
struct TextKind {
  std::string_view name;
  std::string_view what;
  /// At least `size` bytes, and at most a few hundred more.
  std::string (*make)(std::size_t size);
};

/// What pages usually hold: prose of a large vocabulary with 2 links, 0.2 addresses
/// and 0.6 dates or prices a hundred words.
std::string web_text(std::size_t size);

/// What people read: prose, lists of links, other scripts.
const std::vector<TextKind>& usual_texts();
/// What a page can do to make recording dear: no breaks, or nothing twice.
const std::vector<TextKind>& hostile_texts();

/// A text as the pages that it is read as: pieces of some `size` bytes, cut at spaces
/// where there are any.
std::vector<std::string_view> pages(std::string_view text, std::size_t size);

}  // namespace agentlock::bench
