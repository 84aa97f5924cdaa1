#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "agentlock/growing_array.hpp"

namespace agentlock {

/// A text that only grows, and where in it something stands for the first time,
/// without a walk through all of it. A quarter of a byte of memory a byte of text
/// beside the text itself, up to twice that while there are less than 4 MiB of it, and
/// some room for more text.
class SubstringIndex {
 public:
  static constexpr std::size_t kNotFound = std::string_view::npos;

  /// `text` lies outside of this object.
  void append(std::string_view text);

  /// The first place of `pattern` at or after `from`, exactly as std::string_view::find
  /// gives it.
  std::size_t find(std::string_view pattern, std::size_t from = 0) const;

  std::size_t size() const { return text_.size(); }
  /// Valid until the next append.
  std::string_view text() const { return {text_.data(), text_.size()}; }

 private:
  static constexpr std::size_t kMaxWords = 8;
  using Blocks = std::array<std::uint64_t, kMaxWords>;

  // The signatures of so many blocks that a row of bits, one for each, fills some words.
  struct Group {
    std::size_t first_block;
    std::size_t words;  // a row
    std::vector<std::uint64_t> rows;

    std::size_t end_block() const { return first_block + words * 64; }
  };

  void seal(std::size_t block);
  /// A bit for each block of the group in which `pattern` may begin.
  static Blocks blocks_for(std::string_view pattern, const Group& group);
  /// The first place of `pattern` that begins in [begin, end).
  std::size_t find_between(std::string_view pattern, std::size_t begin, std::size_t end) const;

  GrowingArray<char> text_;
  std::size_t sealed_ = 0;  // blocks that the groups know
  std::vector<Group> groups_;
};

}  // namespace agentlock
