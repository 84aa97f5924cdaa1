#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/encodings.hpp"
#include "agentlock/growing_array.hpp"
#include "agentlock/hash_filter.hpp"
#include "agentlock/hash_index.hpp"
#include "agentlock/keyed_hash.hpp"
#include "agentlock/piece_text.hpp"
#include "agentlock/span.hpp"

namespace agentlock {

/// The encoded forms of recorded urls and e-mails (direction A), to be found inside a
/// parameter. They are not stored.
class AddressForms {
 public:
  explicit AddressForms(const PieceText& pieces) : pieces_(pieces) {}

  /// Makes an address known that stands at this part of the pieces.
  void add(Span address);

  /// The first entry in which a text is an address, if it is one in any.
  using EntryOf = std::function<std::optional<std::size_t>(std::string_view address)>;

  struct Found {
    std::size_t entry;
    std::string text;
    auto operator<=>(const Found&) const = default;
  };
  /// Of the forms that stand in the text: the first by entry and then by code points.
  std::optional<Found> first_in(std::string_view lowered, const EntryOf& entry_of) const;

 private:
  class Search;

  bool has_length(std::size_t length) const {
    return length < has_length_.size() && has_length_[length];
  }
  void add_ambiguous(Span address, std::string_view form);

  const PieceText& pieces_;
  KeyedHash hash_;
  HashFilter starts_;             // of the forms' first kMinNeedleBytes bytes
  std::vector<bool> has_length_;  // by the lengths of addresses

  // Percent forms that can't be read back.
  GrowingArray<Span> ambiguous_;
  HashIndex ambiguous_index_;
  std::vector<std::size_t> ambiguous_lengths_;  // of the forms, sorted
  std::string form_;                            // kept for its memory
};

}  // namespace agentlock
