#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/encodings.hpp"
#include "agentlock/hash_index.hpp"
#include "agentlock/substring_index.hpp"
#include "agentlock/token.hpp"

namespace agentlock {

/// All untrusted entries of a session, in the order of the log, ready for the three
/// questions that the checks ask about them.
class UntrustedText {
 public:
  explicit UntrustedText(std::size_t min_length) : min_length_(min_length) {}

  /// `entry` only grows from call to call; `content` is not empty and is not kept.
  void add(std::size_t entry, std::string_view content);

  bool empty() const { return starts_.empty(); }

  /// The first entry whose text, canonical forms or encoded tokens hold the token,
  /// which holds no space, as a substring.
  std::optional<std::size_t> entry_holding(std::string_view token) const;

  /// Whether it is a token of some entry.
  bool has_token(std::string_view token) const;

  struct Needle {
    std::size_t entry;
    std::string text;
    auto operator<=>(const Needle&) const = default;
  };
  /// Of the encoded forms of url and email tokens that stand in the text: the first
  /// by entry and then by code points.
  std::optional<Needle> first_needle_in(std::string_view lowered) const;

 private:
  // A word or a token, once.
  struct Piece {
    std::uint64_t offset;
    std::uint32_t length;
    bool is_searched = false;  // a word whose tokens are known
    bool is_token = false;
    bool has_needles = false;
  };
  // Where an entry's pieces begin.
  struct Start {
    std::size_t offset;
    std::size_t entry;
  };
  // What the needles of a token are made from.
  struct NeedleSource {
    std::uint32_t piece;
    std::uint32_t start;  // of the entry in which it first was an address
  };

  std::optional<std::uint32_t> find_piece(std::string_view text, std::uint64_t hash) const;
  /// The piece with this text, which is appended if it is not there yet.
  Piece& remember(std::string_view text);
  void add_token(const TokenView& token);
  void add_encodings(std::string_view token);
  void add_needles(const Piece& piece);
  std::string_view text_of(const Piece& piece) const;
  std::string needle_text(std::uint32_t number) const;
  std::size_t needle_entry(std::uint32_t number) const;

  std::size_t min_length_;
  SubstringIndex text_;
  std::vector<Start> starts_;

  KeyedHash piece_hash_;
  std::vector<Piece> pieces_;
  HashIndex piece_index_;

  WindowHash window_hash_;
  std::vector<NeedleSource> needle_sources_;
  HashIndex needle_index_;   // numbers: source * kEncodings + encoding
  HashIndex needle_starts_;  // of their first kMinNeedleBytes bytes
  std::set<std::size_t> needle_lengths_;

  std::vector<TokenView> found_;  // kept for its memory
};

}  // namespace agentlock
