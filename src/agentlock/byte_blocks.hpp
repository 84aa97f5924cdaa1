#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace agentlock {

/// What the bytes of a block of 64 are: a bit for each, the first one lowest.
struct BlockMasks {
  std::uint64_t space;  ///< the ASCII spaces
  std::uint64_t mark;   ///< `-`, `.`, `/`, digits, `:`, `@`, `_` and `(`, `[`, `{`
  std::uint64_t lead;   ///< first bytes of characters that are not ASCII
};

/// Of the 64 bytes from `begin` on, those behind the text's end being spaces.
BlockMasks masks_at(std::string_view text, std::size_t begin);

}  // namespace agentlock
