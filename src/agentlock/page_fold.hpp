#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agentlock {

/// What a character of page text is compared as. What looks the same is the same: to
/// find page text in a value, never to find the operator's (gate.md, section 4).
struct FoldedCharacter {
  enum class Kind : unsigned char {
    kWord,       ///< part of a word
    kSeparator,  ///< ends a word: white space, punctuation, symbols
    kNothing,    ///< not there: zero-width and tag characters, combining marks
  };
  Kind kind = Kind::kSeparator;
  /// Of kWord: in UTF-8; it may hold spaces, which part words (U+FDFA is four of them).
  std::string_view text;
};

/// Compatibility forms (NFKC), case and default ignorables folded, then Unicode's
/// confusables (UTS 39 skeleton) of each letter and digit, then combining marks
/// dropped. Context-free, so a part of a text folds to that part of the folded text.
FoldedCharacter fold_character(char32_t c);

/// The folded words of a text, parted by single spaces: "Visit EVIL.test!" gives
/// "visit evil test" (with the letters' skeletons in place of some).
std::string fold_words(std::string_view text);

/// The same without the spaces.
std::string fold_joined(std::string_view text);

/// Whether words of this character's script are written without spaces between them
/// (Han, Thai, ...).
bool is_unspaced(char32_t c);

}  // namespace agentlock
