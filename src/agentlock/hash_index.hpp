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
    const std::uint64_t tag = tag_of(hash);
    for (std::size_t at = home(tag); at < slots_.size(); ++at) {
      const std::uint64_t slot = slots_[at];
      if (slot_tag(slot) > tag || slot == kFree) break;
      if (slot_tag(slot) == tag && is_meant(slot & kNumberMask)) return slot & kNumberMask;
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
  static std::uint64_t slot_tag(std::uint64_t slot) { return slot >> kNumberBits; }
  std::size_t home(std::uint64_t tag) const { return (tag * homes_) >> kTagBits; }
  void grow();

  GrowingArray<std::uint64_t> slots_;
  std::size_t homes_ = 0;
  std::size_t used_ = 0;
};

}  // namespace agentlock
