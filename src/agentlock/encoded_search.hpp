#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/encodings.hpp"
#include "agentlock/piece_text.hpp"
#include "agentlock/word_tokens.hpp"

namespace agentlock {

/// Finds one text in the encoded forms of recorded tokens, which are not stored.
class EncodedSearch {
 public:
  EncodedSearch(const PieceText& pieces, std::size_t min_length)
      : pieces_(pieces), tokens_(min_length) {}

  /// A place in the first token before `end` whose base64, hex or percent form holds
  /// `text`, itself a token; kNotFound if there is none. Of several in one entry it may be
  /// any.
  std::size_t find(std::string_view text, std::size_t end);

 private:
  // The text in one kind of form, with `skipped` digits of a group before it.
  struct Form {
    std::string_view text;
    Encoding encoding;
    std::size_t skipped;
  };

  void search_hex(std::string_view text);
  void search_base64(std::string_view text);
  void search_percent(std::string_view text);
  /// Goes through the places of `bytes`, `lead` bytes before which the form begins.
  void search(const Form& form, std::string_view bytes, std::ptrdiff_t lead);
  /// Whether a form of a token that lies over this place holds the text from there on.
  bool is_at(const Form& form, std::size_t place);
  void look_at(std::size_t place);

  const PieceText& pieces_;
  WordTokens tokens_;
  std::size_t found_ = 0;

  // The piece that was looked at last, and the tokens in it: each list in order, without
  // overlap.
  PieceText::Piece piece_{PieceText::kNotFound, {}, PieceKind::kPlain};
  std::vector<std::string_view> emails_;
  std::vector<std::string_view> urls_;
  std::vector<std::string_view> words_;
};

}  // namespace agentlock
