#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "agentlock/growing_array.hpp"

namespace agentlock {

/// Numbers below 2^40 - 1 by the hash of what they stand for, at 9 to 12 bytes each. The
/// owner keeps the things themselves and says which of those with the same hash is meant.
class HashIndex {
 public:
  void insert(std::uint64_t hash, std::uint64_t number);

  /// A number with this hash for which `is_meant(number)` is true.
  template <typename Predicate>
  std::optional<std::uint64_t> find(std::uint64_t hash, Predicate is_meant) const {
    if (used_ == 0) return std::nullopt;
    const std::uint64_t first = tag_of(hash) << kNumberBits;
    const std::uint64_t last = first | kNumberMask;
    // A free slot is greater than all others, and the last one is free.
    for (const std::uint64_t* slot = slots_.data() + home(tag_of(hash));
         *slot <= last && *slot != kFree; ++slot) {
      if (*slot >= first && is_meant(*slot & kNumberMask)) return *slot & kNumberMask;
    }
    return std::nullopt;
  }

  /// Fetches what find() will look at.
  void prefetch(std::uint64_t hash) const {
    if (used_ > 0) __builtin_prefetch(slots_.data() + home(tag_of(hash)));
  }

  std::size_t size() const { return used_; }

 private:
  static constexpr unsigned kTagBits = 24;
  static constexpr unsigned kNumberBits = 64 - kTagBits;
  static constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  static std::uint64_t tag_of(std::uint64_t hash) { return hash >> kNumberBits; }
  std::size_t home(std::uint64_t tag) const { return (tag * homes_) >> kTagBits; }
  void grow();
  /// Makes the array at least this long, with its last `count` slots at the new end, and
  /// returns where those begin.
  std::size_t move_to_end(std::size_t count, std::size_t size);

  GrowingArray<std::uint64_t> slots_;
  std::size_t homes_ = 0;
  std::size_t used_ = 0;
};

}  // namespace agentlock
