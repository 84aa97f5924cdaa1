#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace agentlock {

/// What stands in a word, as far as single bytes tell. True is always safe: it means
/// "look".
struct WordTraits {
  bool dot_or_at = false;  ///< `.` or `@`
  bool digit = false;      ///< a decimal digit of any script
  bool marker = false;     ///< `[.]`, `(dot)`, ... for a full stop
  bool dotted_i = false;   ///< U+0130, whose lowercase is another matter
};

WordTraits traits_of(std::string_view word);

/// Walks over a text's words and stops at those that tell: in which a token of the text
/// or a token of any other text can stand. Four of five words of prose don't.
class TellingWords {
 public:
  TellingWords(std::string_view text, std::size_t min_length)
      : text_(text), min_length_(min_length) {}

  /// Goes to the next one; false at the end.
  bool next();

  /// The word without the punctuation around it that is in no token.
  std::string_view word() const { return word_; }
  const WordTraits& traits() const { return traits_; }

 private:
  /// Makes [begin, end), whose bytes have these kinds together, the word if it tells.
  bool take(std::size_t begin, std::size_t end, unsigned kinds);

  std::string_view text_;
  std::size_t min_length_;
  std::size_t at_ = 0;
  std::string_view word_;
  WordTraits traits_;
};

}  // namespace agentlock
