#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/encodings.hpp"
#include "agentlock/growing_array.hpp"
#include "agentlock/hash_index.hpp"
#include "agentlock/keyed_hash.hpp"
#include "agentlock/piece_text.hpp"
#include "agentlock/span.hpp"

namespace agentlock {

/// The encoded forms of recorded urls and e-mails, ready to be found inside a parameter.
class NeedleIndex {
 public:
  explicit NeedleIndex(const PieceText& pieces) : pieces_(pieces) {}

  /// Adds the forms of the address at this part of the pieces, which came with their
  /// latest entry.
  void add(Span address);

  struct Needle {
    std::size_t entry;
    std::string text;
    auto operator<=>(const Needle&) const = default;
  };
  /// Of the forms that stand in the text: the first by entry and then by code points.
  std::optional<Needle> first_in(std::string_view lowered) const;

 private:
  std::string_view address_of(std::uint64_t number) const;
  std::string text_of(std::uint64_t number) const;
  void add_length(std::size_t length);

  const PieceText& pieces_;
  KeyedHash hash_;
  GrowingArray<Span> addresses_;
  HashIndex forms_;                   // numbers: address * kEncodings + encoding
  HashIndex starts_;                  // of their first kMinNeedleBytes bytes
  std::vector<std::size_t> lengths_;  // that occur, sorted
  std::vector<bool> has_length_;
  std::string encoded_;  // kept for its memory
};

}  // namespace agentlock
