#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace agentlock {

/// A part of recorded text, and one mark for its owner's use, in 8 bytes.
class Span {
 public:
  static constexpr std::size_t kMaxLength = (std::size_t{1} << 29U) - 1;

  /// Throws std::length_error where a length or place does not fit: 512 MiB, and 16 GiB,
  /// which is several times what a ledger may hold.
  Span(std::size_t place, std::size_t length)
      : place_(place & kMaxPlace), length_(length & kMaxLength), marked_(0) {
    if (place > kMaxPlace || length > kMaxLength)
      throw std::length_error("recorded text is too long");
  }

  std::size_t place() const { return place_; }
  std::size_t length() const { return length_; }
  bool marked() const { return marked_ != 0; }
  void mark() { marked_ = 1; }

 private:
  static constexpr std::size_t kMaxPlace = (std::size_t{1} << 34U) - 1;

  std::uint64_t place_ : 34;
  std::uint64_t length_ : 29;
  std::uint64_t marked_ : 1;
};

}  // namespace agentlock
