#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace agentlock {

/// A hash of texts that page authors can't aim at: its keys are random. The keys
/// change how fast an answer comes, never the answer.
class KeyedHash {
 public:
  KeyedHash();
  std::uint64_t operator()(std::string_view text) const;

 private:
  std::uint64_t first_key_;
  std::uint64_t second_key_;
};

/// A hash of texts from which that of any window of a text comes in one step. The
/// base is random, for the same reason.
class WindowHash {
 public:
  WindowHash();
  std::uint64_t operator()(std::string_view text) const;

  class Windows;

 private:
  std::uint64_t step(std::uint64_t hash, char c) const;

  std::uint64_t base_;
};

/// The windows of one text.
class WindowHash::Windows {
 public:
  Windows(const WindowHash& hash, std::string_view text);
  /// Equal to the hash of the `length` bytes from `at` on.
  std::uint64_t operator()(std::size_t at, std::size_t length) const;

 private:
  std::vector<std::uint64_t> prefixes_;
  std::vector<std::uint64_t> powers_;
};

/// Numbers by the hash of what they stand for; 8 bytes a slot. The owner keeps the
/// things themselves and says which of those with the same hash is meant.
class HashIndex {
 public:
  void insert(std::uint64_t hash, std::uint32_t number);

  /// A number with this hash for which `is_meant(number)` is true.
  template <typename Predicate>
  std::optional<std::uint32_t> find(std::uint64_t hash, Predicate is_meant) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t at = tag & mask(); slots_[at].number != kFree; at = (at + 1) & mask()) {
      if (slots_[at].tag == tag && is_meant(slots_[at].number)) return slots_[at].number;
    }
    return std::nullopt;
  }

  std::size_t size() const { return used_; }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  struct Slot {
    std::uint32_t tag;
    std::uint32_t number;
  };

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32U);
  }
  std::size_t mask() const { return slots_.size() - 1; }
  void place(Slot slot);

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace agentlock
