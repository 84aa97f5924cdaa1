#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "agentlock/byte_blocks.hpp"
#include "agentlock/character_classes.hpp"

namespace agentlock {

/// What stands in a word.
struct WordTraits {
  bool dot_or_at = false;  ///< `.` or `@`
  bool digit = false;      ///< a decimal digit of any script
  bool dashed = false;     ///< `-` or `/`
  bool marker = false;     ///< `[.]`, `(dot)`, ... for a full stop
  bool dotted_i = false;   ///< U+0130, whose lowercase is another matter
};

WordTraits traits_of(std::string_view word);

/// Walks over a text's words and stops at those that tell: in which a token of the text
/// or a token of any other text can stand. Four of five words of prose don't. It also
/// stops at each word with a digit, which may be a part of a number with spaces.
class TellingWords {
 public:
  TellingWords(std::string_view text, std::size_t min_length)
      : text_(text), min_length_(min_length) {
    load(0);
  }

  /// Goes to the next one; false at the end.
  bool next();

  /// Where the whole word stands.
  TextRange range() const { return range_; }
  const WordTraits& traits() const { return traits_; }
  /// What tells: the word without the punctuation around it that is in no token. Empty
  /// if nothing does.
  std::string_view telling() const { return telling_; }

 private:
  void load(std::size_t begin);
  /// Marks what the characters with these first bytes are.
  void look_at_long(std::uint64_t leads);
  /// Goes to the end of the next word that may tell.
  bool find_word();
  void judge_word();

  std::string_view text_;
  std::size_t min_length_;

  // The block of 64 bytes that is being walked over.
  std::size_t block_ = 0;
  std::uint64_t left_ = 0;     // its bits that have not been walked over
  std::uint64_t spaces_ = 0;   // bytes of spaces
  std::uint64_t marks_ = 0;    // bytes that make a word tell, or may
  std::uint64_t carried_ = 0;  // bytes of the next block that end a space of this one

  TextRange range_{0, 0};
  WordTraits traits_;
  std::string_view telling_;
};

}  // namespace agentlock
