#include "agentlock/byte_blocks.hpp"

// Sixteen bytes are compared at once, in the compiler's own notation for that, which it
// turns into the instructions that the machine has.

#include <array>
#include <cstring>

namespace agentlock {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kVector = 16;

using Bytes = std::uint8_t __attribute__((ext_vector_type(kVector)));
using Truths = bool __attribute__((ext_vector_type(kVector)));

template <typename Comparison>
std::uint64_t bits(Comparison comparison) {
  return __builtin_bit_cast(std::uint16_t, __builtin_convertvector(comparison, Truths));
}

BlockMasks masks_of(const char* block) {
  BlockMasks masks{};
  for (std::size_t i = 0; i < kBlock; i += kVector) {
    Bytes bytes;
    std::memcpy(&bytes, block + i, kVector);
    // Unsigned: what is below the first of a range wraps round to far above it.
    masks.space |= bits(((bytes - 0x09) < 5) | ((bytes - 0x1C) < 5)) << i;
    masks.mark |= bits(((bytes - '-') <= ':' - '-') | (bytes == '@') | (bytes == '_') |
                       (bytes == '(') | ((bytes | 0x20) == '{'))
                  << i;
    masks.lead |= bits(bytes >= 0xC0) << i;
  }
  return masks;
}

}  // namespace

BlockMasks masks_at(std::string_view text, std::size_t begin) {
  if (begin + kBlock <= text.size()) return masks_of(text.data() + begin);
  std::array<char, kBlock> block;
  block.fill(' ');
  if (begin < text.size()) std::memcpy(block.data(), text.data() + begin, text.size() - begin);
  return masks_of(block.data());
}

}  // namespace agentlock
