#include "agentlock/lowercase.hpp"

// ICU's own function knows all rules and takes some ten nanoseconds a character. Nearly
// all characters have a lowercase of their own that depends on nothing else, so this
// walks through the text with ICU's table of those, and where one byte is met that needs
// more (a capital sigma, U+0130, malformed UTF-8) it gives the whole text to ICU.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

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

char* put_code_point(UChar32 c, char* text) {
  std::size_t length = 0;
  U8_APPEND_UNSAFE(text, length, c);
  return text + length;
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

// Is it a character of three bytes that has no lowercase? Only those beginning with E1, E2,
// EA and EF can have one; of E2, the punctuation of U+2000 to U+207F is met in all languages.
bool is_plain_three(const unsigned char* bytes) {
  const bool is_plain = (bytes[0] >= 0xE3 && bytes[0] <= 0xE9) ||
                        (bytes[0] == 0xE2 && (bytes[1] == 0x80 || bytes[1] == 0x81));
  return is_plain && (bytes[1] & 0xC0U) == 0x80U && (bytes[2] & 0xC0U) == 0x80U;
}

struct Lowered {
  std::size_t length;  // of the character; 0 if its lowercase takes more than itself
  char* end;           // of its lowercase
};

// Puts the lowercase of the character at `at`, which is not ASCII.
Lowered lower_long(std::string_view text, std::size_t at, char* lowered) {
  static const TwoByteTable table = two_byte_table();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (at + 3 <= text.size() && is_plain_three(bytes + at)) {
    return {3, std::copy_n(text.data() + at, 3, lowered)};
  }
  auto next = at;
  UChar32 c = 0;
  U8_NEXT(bytes, next, text.size(), c);
  if (c < 0 || c == kCapitalSigma || c == kCapitalDottedI) return {0, lowered};
  UChar32 lower = c < 0x800 ? table[static_cast<std::size_t>(c)] : 0;
  if (lower == 0) lower = u_tolower(c);
  return {next - at, put_code_point(lower, lowered)};
}

constexpr std::uint64_t kEach = 0x0101010101010101U;

// The bytes that are at least `low`, one of ASCII, have their upper bit set; all are ASCII.
std::uint64_t at_least(std::uint64_t bytes, std::uint64_t low) {
  return bytes + kEach * (0x80 - low);
}

std::uint64_t lower_ascii(std::uint64_t bytes) {
  const std::uint64_t capitals = at_least(bytes, 'A') & ~at_least(bytes, 'Z' + 1) & kEach * 0x80;
  return bytes | capitals >> 2U;
}

// Puts the lowercase of all ASCII characters from `at` on, eight at a time.
Lowered lower_ascii_from(std::string_view text, std::size_t at, char* lowered) {
  const std::size_t begin = at;
  std::uint64_t bytes = 0;
  for (; at + 8 <= text.size(); at += 8, lowered += 8) {
    std::memcpy(&bytes, text.data() + at, 8);
    if ((bytes & kEach * 0x80) != 0) break;
    bytes = lower_ascii(bytes);
    std::memcpy(lowered, &bytes, 8);
  }
  for (; at < text.size() && static_cast<unsigned char>(text[at]) < 0x80; ++at) {
    *lowered++ = static_cast<char>(text[at] | (text[at] >= 'A' && text[at] <= 'Z' ? 0x20 : 0));
  }
  return {at - begin, lowered};
}

}  // namespace

void append_lowercase(std::string_view text, std::string& lowered) {
  const std::size_t before = lowered.size();
  lowered.resize(before + text.size());
  std::size_t at = lower_ascii_from(text, 0, lowered.data() + before).length;
  if (at == text.size()) return;
  // The lowercase of two bytes can be three.
  lowered.resize(before + at + (text.size() - at) / 2 * 3 + 1);
  char* end = lowered.data() + before + at;
  while (at < text.size()) {
    const bool is_long = static_cast<unsigned char>(text[at]) >= 0x80;
    const Lowered part = is_long ? lower_long(text, at, end) : lower_ascii_from(text, at, end);
    if (part.length == 0) {
      lowered.resize(before);
      append_by_icu(text, lowered);
      return;
    }
    at += part.length;
    end = part.end;
  }
  lowered.resize(static_cast<std::size_t>(end - lowered.data()));
}

std::string lowercase(std::string_view text) {
  std::string lowered;
  append_lowercase(text, lowered);
  return lowered;
}

}  // namespace agentlock
