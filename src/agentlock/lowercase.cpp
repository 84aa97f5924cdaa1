#include "agentlock/lowercase.hpp"

// ICU's own function knows all rules and takes some ten nanoseconds a character. Nearly
// all characters have a lowercase of their own that depends on nothing else, so this
// walks through the text with ICU's table of those, and where one byte is met that needs
// more (a capital sigma, U+0130, malformed UTF-8) it gives the whole text to ICU.

#include <array>
#include <cstdint>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace agentlock {
namespace {

constexpr UChar32 kCapitalSigma = 0x3A3;
constexpr UChar32 kCapitalDottedI = 0x130;

void append_by_icu(std::string_view text, std::string& lowered) {
  icu::StringByteSink<std::string> sink(&lowered);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                            sink, nullptr, status);
}

void append_code_point(UChar32 c, std::string& text) {
  std::array<char, U8_MAX_LENGTH> bytes;
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes.data(), length, c);
  text.append(bytes.data(), length);
}

// The lowercase of the characters of two bytes; 0 where it has not two.
using TwoByteTable = std::array<std::uint16_t, 0x800>;

TwoByteTable two_byte_table() {
  TwoByteTable table{};
  for (UChar32 c = 0x80; c < 0x800; ++c) {
    const UChar32 lower = u_tolower(c);
    const bool simple = lower >= 0x80 && lower < 0x800 && c != kCapitalSigma;
    table[static_cast<std::size_t>(c)] = simple ? static_cast<std::uint16_t>(lower) : 0;
  }
  return table;
}

// No letter of three bytes with another first byte has a lowercase. Of those beginning
// with E2, the punctuation of U+2000 to U+207F is met in all languages.
bool may_have_case(unsigned char first, unsigned char second) {
  return first == 0xE1 || first == 0xEA || first == 0xEF || (first == 0xE2 && second > 0x81);
}

// Appends the lowercase of the character at `at`, which is not ASCII, and returns its
// length; 0 if that takes more than the character itself.
std::size_t append_long(std::string_view text, std::size_t at, std::string& lowered) {
  static const TwoByteTable table = two_byte_table();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  auto next = at;
  UChar32 c = 0;
  U8_NEXT(bytes, next, text.size(), c);
  if (c < 0) return 0;
  if (c < 0x800) {
    const UChar32 lower = table[static_cast<std::size_t>(c)];
    if (lower == 0) {
      if (c == kCapitalSigma || c == kCapitalDottedI) return 0;
      append_code_point(u_tolower(c), lowered);
      return 2;
    }
    lowered += static_cast<char>(0xC0 | (lower >> 6));
    lowered += static_cast<char>(0x80 | (lower & 0x3F));
  } else if (next - at == 3 && !may_have_case(bytes[at], bytes[at + 1])) {
    lowered.append(text, at, 3);
  } else {
    append_code_point(u_tolower(c), lowered);
  }
  return next - at;
}

std::size_t ascii_end(std::string_view text, std::size_t at) {
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

void append_ascii(std::string_view ascii, std::string& lowered) {
  const std::size_t before = lowered.size();
  lowered.append(ascii);
  for (char* c = lowered.data() + before; c < lowered.data() + lowered.size(); ++c) {
    *c = static_cast<char>(*c | (*c >= 'A' && *c <= 'Z' ? 0x20 : 0));
  }
}

}  // namespace

void append_lowercase(std::string_view text, std::string& lowered) {
  const std::size_t before = lowered.size();
  lowered.reserve(before + text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = ascii_end(text, at); end > at) {
      append_ascii(text.substr(at, end - at), lowered);
      at = end;
      continue;
    }
    const std::size_t length = append_long(text, at, lowered);
    if (length == 0) {
      lowered.resize(before);
      append_by_icu(text, lowered);
      return;
    }
    at += length;
  }
}

std::string lowercase(std::string_view text) {
  std::string lowered;
  append_lowercase(text, lowered);
  return lowered;
}

}  // namespace agentlock
