#include "agentlock/substring_index.hpp"

// The problem: a page's text is recorded once and asked about at each decision, and a
// search through 100 MB takes tens of milliseconds.
//
// The method is a signature file, stored by column. The text is cut into blocks of
// 8 KiB. A block's signature has a bit for each hash of four consecutive bytes that
// begin in it. 512 blocks are a group (64 or more as long as the text is short); a group
// keeps, for each hash, one row of 512 bits: which of its blocks hold such four bytes. A
// pattern can begin only in the blocks that stand in the rows of all its four-byte pieces,
// so a few rows, one cache line each, are read and joined, and only the blocks that are
// left are searched.
//
// Invariants: a signature never misses a piece, so no place is missed; whatever it
// lets through is compared byte by byte, so none is invented. A pattern may begin in
// one block and end in a later one: signatures reach kOverlap bytes beyond their
// block, and only a pattern's first kOverlap bytes are looked up. Blocks are asked in
// order, so the first hit is the first place. What does not yet fill a block with its
// overlap is searched directly.
//
// Limits: a text in which all pieces of a pattern stand in every block, but never
// together, costs a full search, as it does without an index. Patterns of under four
// bytes are searched directly.

#include <algorithm>
#include <bit>
#include <cstring>

namespace agentlock {
namespace {

constexpr std::size_t kBlock = 8192;
constexpr std::size_t kOverlap = 64;
constexpr std::size_t kPiece = 4;
constexpr unsigned kRowBits = 14;

std::size_t row_of(const char* bytes) {
  std::uint32_t piece = 0;
  std::memcpy(&piece, bytes, kPiece);
  return (piece * 0x9E3779B1U) >> (32U - kRowBits);
}

}  // namespace

void SubstringIndex::append(std::string_view text) {
  text_.append(text.data(), text.size());
  while (text_.size() >= (sealed_ + 1) * kBlock + kOverlap) {
    seal(sealed_);
    ++sealed_;
  }
}

void SubstringIndex::seal(std::size_t block) {
  if (groups_.empty() || block == groups_.back().end_block()) {
    // As many blocks as there are so far.
    const std::size_t words = std::clamp<std::size_t>(block / 64, 1, kMaxWords);
    groups_.push_back({block, words, std::vector<std::uint64_t>(words << kRowBits)});
  }
  Group& group = groups_.back();
  const std::size_t lane = block - group.first_block;
  std::uint64_t* const words = group.rows.data() + lane / 64;
  const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
  const std::size_t row = group.words;
  const char* const begin = text_.data() + block * kBlock;
  for (std::size_t i = 0; i + kPiece <= kBlock + kOverlap; ++i) {
    words[row_of(begin + i) * row] |= bit;
  }
}

std::size_t SubstringIndex::find(std::string_view pattern, std::size_t from) const {
  if (pattern.size() < kPiece) return text().find(pattern, from);
  if (from % kBlock != 0) {
    // Who goes from place to place finds the next one nearby.
    const std::size_t border = (from / kBlock + 1) * kBlock;
    const std::size_t place = find_between(pattern, from, border);
    if (place != kNotFound) return place;
    from = border;
  }
  const std::size_t first = from / kBlock;
  for (const Group& group : groups_) {
    if (group.end_block() <= first) continue;
    const Blocks blocks = blocks_for(pattern, group);
    for (std::size_t word = 0; word < group.words; ++word) {
      for (std::uint64_t left = blocks[word]; left != 0; left &= left - 1) {
        const std::size_t block =
            group.first_block + word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (block < first) continue;
        const std::size_t begin = block * kBlock;
        // Each search costs what the pattern is long, so a long one is made once.
        const bool is_long = pattern.size() > kBlock;
        const std::size_t place =
            find_between(pattern, begin, is_long ? text_.size() : begin + kBlock);
        if (place != kNotFound || is_long) return place;
      }
    }
  }
  return find_between(pattern, std::max(sealed_ * kBlock, from), text_.size());
}

SubstringIndex::Blocks SubstringIndex::blocks_for(std::string_view pattern, const Group& group) {
  Blocks blocks{};
  std::fill_n(blocks.begin(), group.words, ~std::uint64_t{0});
  const std::size_t looked_up = std::min(pattern.size(), kOverlap);
  for (std::size_t i = 0; i + kPiece <= looked_up; ++i) {
    const std::uint64_t* row = group.rows.data() + row_of(pattern.data() + i) * group.words;
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < group.words; ++word) {
      blocks[word] &= row[word];
      any |= blocks[word];
    }
    if (any == 0) break;
  }
  return blocks;
}

std::size_t SubstringIndex::find_between(std::string_view pattern, std::size_t begin,
                                         std::size_t end) const {
  const std::size_t stop = std::min(end + pattern.size() - 1, text_.size());
  if (stop < begin + pattern.size()) return kNotFound;
  // memmem is linear also for patterns that repeat themselves; string_view::find isn't.
  const void* place = ::memmem(text_.data() + begin, stop - begin, pattern.data(), pattern.size());
  if (place == nullptr) return kNotFound;
  return static_cast<std::size_t>(static_cast<const char*>(place) - text_.data());
}

}  // namespace agentlock
