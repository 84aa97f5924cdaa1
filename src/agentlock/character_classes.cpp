#include "agentlock/character_classes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace agentlock {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// The grammars' four letters beyond ASCII, in UTF-8.
constexpr std::string_view kDottedI = "\xC4\xB0";
constexpr std::string_view kDotlessI = "\xC4\xB1";
constexpr std::string_view kLongS = "\xC5\xBF";
constexpr std::string_view kKelvin = "\xE2\x84\xAA";

}  // namespace

CodePoint long_code_point_at(std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data() + at);
  const auto size = static_cast<std::int32_t>(std::min<std::size_t>(text.size() - at, 4));
  std::int32_t offset = 0;
  UChar32 c = 0;
  U8_NEXT(bytes, offset, size, c);
  if (c < 0) return {kReplacement, 1};
  return {static_cast<char32_t>(c), static_cast<std::size_t>(offset)};
}

CodePoint long_code_point_before(std::string_view text, std::size_t at) {
  const std::size_t back = std::min<std::size_t>(at, 4);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data() + at - back);
  auto offset = static_cast<std::int32_t>(back);
  UChar32 c = 0;
  U8_PREV(bytes, 0, offset, c);
  if (c < 0) return {kReplacement, 1};
  return {static_cast<char32_t>(c), back - static_cast<std::size_t>(offset)};
}

std::size_t count_code_points(std::string_view text) {
  // A byte counts unless its upper bits are 10; eight at a time.
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  const auto inner = [](std::uint64_t bytes) {
    return (((bytes >> 7U) & ~(bytes >> 6U) & kEach) * kEach) >> 56U;
  };
  std::size_t count = text.size();
  std::uint64_t bytes = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::memcpy(&bytes, text.data(), 8);
    count -= inner(bytes);
  }
  bytes = 0;
  for (const char c : text) bytes = bytes << 8U | static_cast<unsigned char>(c);
  return count - inner(bytes);
}

std::string_view first_code_points(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  while (end < text.size() && count > 0) {
    end += code_point_at(text, end).length;
    --count;
  }
  return text.substr(0, end);
}

bool is_long_space(char32_t c) {
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_long_decimal_digit(char32_t c) {
  return u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
}

bool is_word_character(char32_t c) {
  if (c < 0x80) {
    const char ascii = static_cast<char>(c);
    return is_ascii_letter(ascii) || is_ascii_digit(ascii) || ascii == '_';
  }
  constexpr std::uint32_t kAlphanumeric = U_GC_L_MASK | U_GC_ND_MASK | U_GC_NL_MASK | U_GC_NO_MASK;
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & kAlphanumeric) != 0;
}

std::size_t long_grammar_letter_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at, 3);
  if (rest.starts_with(kDottedI) || rest.starts_with(kDotlessI) || rest.starts_with(kLongS)) {
    return 2;
  }
  return rest == kKelvin ? 3 : 0;
}

std::size_t long_grammar_letter_before(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  if (before.ends_with(kDottedI) || before.ends_with(kDotlessI) || before.ends_with(kLongS)) {
    return 2;
  }
  return before.ends_with(kKelvin) ? 3 : 0;
}

std::size_t find_byte(std::string_view text, std::size_t at, const ByteSet& set) {
  const auto in_set = [&](std::size_t i) { return set[static_cast<unsigned char>(text[i])]; };
  // What is found is often near; what is not is passed eight at a time.
  for (const std::size_t near = std::min(at + 8, text.size()); at < near; ++at) {
    if (in_set(at)) return at;
  }
  for (; at + 8 <= text.size(); at += 8) {
    bool any = false;
    for (std::size_t i = 0; i < 8; ++i) any |= in_set(at + i);
    if (any) break;
  }
  while (at < text.size() && !in_set(at)) ++at;
  return at;
}

std::size_t find_space(std::string_view text, std::size_t at) {
  static constexpr ByteSet kSpaceStarts = byte_set("\t\n\v\f\r\x1C\x1D\x1E\x1F \xC2\xE1\xE2\xE3");
  for (at = find_byte(text, at, kSpaceStarts); at < text.size();
       at = find_byte(text, at, kSpaceStarts)) {
    const CodePoint c = code_point_at(text, at);
    if (is_space(c.value)) return at;
    at += c.length;
  }
  return text.size();
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    if (!is_space(c.value)) return at;
    at += c.length;
  }
  return text.size();
}

std::size_t find_decimal_digit(std::string_view text, std::size_t at) {
  for (at = find_byte(text, at, kDigitStarts); at < text.size();
       at = find_byte(text, at, kDigitStarts)) {
    const CodePoint c = code_point_at(text, at);
    if (is_decimal_digit(c.value)) return at;
    at += c.length;
  }
  return text.size();
}

}  // namespace agentlock
