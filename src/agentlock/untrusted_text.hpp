#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/address_forms.hpp"
#include "agentlock/growing_array.hpp"
#include "agentlock/hash_index.hpp"
#include "agentlock/keyed_hash.hpp"
#include "agentlock/piece_text.hpp"
#include "agentlock/span.hpp"
#include "agentlock/word_tokens.hpp"

namespace agentlock {

/// All untrusted entries of a session, in the order of the log, ready for the three
/// questions that the checks ask about them. It stays where it was made.
class UntrustedText {
 public:
  explicit UntrustedText(std::size_t min_length)
      : min_length_(min_length), word_tokens_(min_length), addresses_(pieces_) {}
  UntrustedText(const UntrustedText&) = delete;
  UntrustedText& operator=(const UntrustedText&) = delete;

  /// `entry` only grows from call to call; `content` is not empty and is not kept.
  void add(std::size_t entry, std::string_view content);

  bool empty() const { return pieces_.empty(); }

  /// The first entry whose text, canonical forms or encoded tokens hold this as a
  /// substring. It must be a token, as tokens() gives it: what none can be is not kept.
  std::optional<std::size_t> entry_holding(std::string_view token) const;

  /// Whether it is a token of some entry.
  bool has_token(std::string_view token) const;

  using Needle = AddressForms::Found;
  /// Of the encoded forms of url and email tokens that stand in the text: the first
  /// by entry and then by code points.
  std::optional<Needle> first_needle_in(std::string_view lowered) const;

 private:
  void add_word(std::string_view lowered, const WordTraits& traits);
  void add_written_word(std::string_view word);
  /// A token that lies in no recorded word: a piece of its own.
  void add_form(const TokenView& token);
  /// One that lies in a recorded word, at this place in the pieces.
  void add_inner(const TokenView& token, std::size_t place);
  /// Its percent form, if that can't be searched for by what it encodes.
  void add_ambiguous_form(std::string_view token);

  /// What a text is among the pieces: where it first is one, as each kind that counts.
  struct Known {
    std::optional<std::size_t> word;
    std::optional<std::size_t> token;
    std::optional<std::size_t> address;
  };
  Known known_piece(std::string_view text, std::uint64_t hash) const;
  bool is_token(std::string_view text, const Known& known) const;
  /// The number of a token that lies in a word.
  std::optional<std::uint64_t> find_inner(std::string_view token, std::uint64_t hash) const;
  std::optional<std::size_t> entry_of_address(std::string_view token) const;

  std::size_t min_length_;
  PieceText pieces_;
  KeyedHash hash_;
  HashIndex piece_index_;     // places of all pieces but the plain ones
  HashIndex inner_index_;     // numbers of
  GrowingArray<Span> inner_;  // the tokens that lie in words; marked: an address
  WordTokens word_tokens_;
  AddressForms addresses_;
  std::string lowered_;         // kept for its memory
  std::vector<Token> numbers_;  // likewise
};

}  // namespace agentlock
