#include "agentlock/bit_paths.hpp"

#include <utility>

namespace agentlock {

DigitValues hex_digit(char c) {
  if (c >= '0' && c <= '9') return {c - '0', -1};
  if (c >= 'a' && c <= 'f') return {c - 'a' + 10, -1};
  return {-1, -1};
}

DigitValues base64_digit(char c) {
  if (c >= 'a' && c <= 'z') return {c - 'a', c - 'a' + 26};
  if (c >= '0' && c <= '9') return {c - '0' + 52, -1};
  if (c == '+') return {62, -1};
  if (c == '/') return {63, -1};
  return {-1, -1};
}

BitPaths::BitPaths(const PieceText& pieces, unsigned unknown, FirstByte first)
    : pieces_(pieces), drops_first_(unknown > 0 && first == FirstByte::kDropped) {
  const unsigned count = drops_first_ ? 1U : 1U << unknown;
  for (unsigned value = 0; value < count; ++value) paths_.push_back({"", value, unknown});
}

void BitPaths::read(const DigitValues& digit, unsigned width) {
  longer_.clear();
  bool completes = false;
  for (const Path& path : paths_) {
    for (const int value : digit) {
      if (value < 0) continue;
      Path next{path.bytes, path.value << width | static_cast<unsigned>(value), path.bits + width};
      if (next.bits >= 8) {
        completes = true;
        next.bits -= 8;
        const char byte = static_cast<char>(next.value >> next.bits);
        next.value &= (1U << next.bits) - 1;
        if (!drops_first_ && !add(byte, next.bytes)) continue;
      }
      longer_.push_back(std::move(next));
    }
  }
  if (completes) drops_first_ = false;
  paths_.swap(longer_);
}

bool BitPaths::add(char byte, std::string& bytes) const {
  if (!bytes.empty() && !pieces_.holds_pair(bytes.back(), byte)) return false;
  bytes += byte;
  return true;
}

}  // namespace agentlock
