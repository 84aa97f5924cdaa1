#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace agentlock {

// The character classes of the lineage engine. Texts are UTF-8; a malformed byte
// counts as one U+FFFD. Source: agentlock-engine.md, section 2.

// Functions named long_ are the rest of the inline ones, for characters of more than
// one byte.

/// A piece of a text, in bytes.
struct TextRange {
  std::size_t begin;
  std::size_t end;
};

inline std::string_view piece(std::string_view text, TextRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

inline bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
inline bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct CodePoint {
  char32_t value;
  std::size_t length;  ///< bytes
};

CodePoint long_code_point_at(std::string_view text, std::size_t at);
CodePoint long_code_point_before(std::string_view text, std::size_t at);

/// The one that begins at `at`, which is inside the text.
inline CodePoint code_point_at(std::string_view text, std::size_t at) {
  if (is_ascii(text[at])) return {static_cast<char32_t>(text[at]), 1};
  return long_code_point_at(text, at);
}
/// The one that ends before `at`, which is not 0.
inline CodePoint code_point_before(std::string_view text, std::size_t at) {
  if (is_ascii(text[at - 1])) return {static_cast<char32_t>(text[at - 1]), 1};
  return long_code_point_before(text, at);
}

std::size_t count_code_points(std::string_view text);
/// Whether there are at least `count`; seldom counts them.
inline bool has_code_points(std::string_view text, std::size_t count) {
  if (text.size() < count) return false;
  return text.size() >= count * 4 || count_code_points(text) >= count;
}
/// At most the first `count` code points.
std::string_view first_code_points(std::string_view text, std::size_t count);

bool is_long_space(char32_t c);
bool is_long_decimal_digit(char32_t c);

/// One of the 29 spaces; not U+200B, U+180E or U+FEFF.
inline bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
  return is_long_space(c);
}
/// Category Nd.
inline bool is_decimal_digit(char32_t c) {
  return c < 0x80 ? c >= '0' && c <= '9' : is_long_decimal_digit(c);
}
/// Alphanumeric anywhere in Unicode, or an underscore.
bool is_word_character(char32_t c);

std::size_t long_grammar_letter_at(std::string_view text, std::size_t at);
std::size_t long_grammar_letter_before(std::string_view text, std::size_t at);

/// Bytes of the letter at `at` in the sense of the e-mail and URL grammars, or 0:
/// ASCII letters and U+0130, U+0131, U+017F, U+212A. `at` may be the text's end.
inline std::size_t grammar_letter_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (is_ascii(text[at])) return is_ascii_letter(text[at]) ? 1 : 0;
  return long_grammar_letter_at(text, at);
}
/// The same for the letter that ends before `at`.
inline std::size_t grammar_letter_before(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  if (is_ascii(text[at - 1])) return is_ascii_letter(text[at - 1]) ? 1 : 0;
  return long_grammar_letter_before(text, at);
}

/// Bytes by their value.
using ByteSet = std::array<bool, 256>;

constexpr ByteSet byte_set(std::string_view bytes) {
  ByteSet set{};
  for (const char byte : bytes) set[static_cast<unsigned char>(byte)] = true;
  return set;
}

/// The first byte of the set at or after `at`, or the text's end: some two bytes a
/// nanosecond.
std::size_t find_byte(std::string_view text, std::size_t at, const ByteSet& set);

/// The bytes with which a decimal digit can begin, and some other characters.
inline constexpr ByteSet kDigitStarts = byte_set("0123456789\xD9\xDB\xDF\xE0\xE1\xEA\xEF\xF0");

/// The first space at or after `at`, or the text's end.
std::size_t find_space(std::string_view text, std::size_t at);
/// The first character at or after `at` that is no space, or the text's end.
std::size_t skip_spaces(std::string_view text, std::size_t at);
/// The first decimal digit at or after `at`, or the text's end.
std::size_t find_decimal_digit(std::string_view text, std::size_t at);

}  // namespace agentlock
