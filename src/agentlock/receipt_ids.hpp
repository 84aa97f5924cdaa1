#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

namespace agentlock {

/// Remembers receipt ids and the lines they stand on, in 16 bytes each, and finds
/// the first that was used twice.
class ReceiptIds {
 public:
  /// False if `receipt_id` is not `rcpt_` and 24 lowercase hex digits.
  bool add(std::string_view receipt_id, std::uint64_t line);

  /// The first line whose id stands on an earlier line too. Sorts, so only once.
  std::optional<std::uint64_t> first_reuse();

 private:
  struct Entry {
    std::array<std::uint8_t, 12> id;
    std::uint32_t line;
    auto operator<=>(const Entry&) const = default;
  };
  static_assert(sizeof(Entry) == 16);

  std::deque<Entry> entries_;  // grows without copying, unlike a vector
};

}  // namespace agentlock
