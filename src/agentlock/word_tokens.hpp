#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"
#include "agentlock/telling_words.hpp"
#include "agentlock/token.hpp"

namespace agentlock {

/// A token that lies in another text.
struct TokenView {
  TokenKind kind;
  std::string_view text;
};

/// The tokens of one word after the other: all kinds but phone and amount, which can run
/// over spaces. In the order in which they are found, with repetitions.
class WordTokens {
 public:
  explicit WordTokens(std::size_t min_length) : min_length_(min_length) {}

  /// The tokens of a word that is already in lowercase and holds no U+0130 as written.
  /// They lie in `lowered` or in this object; valid until the next call.
  const std::vector<TokenView>& of(std::string_view lowered, const WordTraits& traits);

  /// The tokens of any word as it is written. They lie in this object.
  const std::vector<TokenView>& of_written(std::string_view word);

  /// Only its canonical forms: defanged urls and dates.
  const std::vector<TokenView>& forms_of(std::string_view word);

 private:
  void clear();
  void add_forms(std::string_view word, const WordTraits& traits);
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  std::size_t min_length_;
  std::vector<TokenView> tokens_;
  std::vector<TextRange> ranges_;  // kept for their memory
  std::vector<std::string> dates_;
  std::deque<std::string> kept_;  // tokens that are no piece of the word
};

}  // namespace agentlock
