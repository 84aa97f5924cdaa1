#include "tools/shown_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include <unicode/uchar.h>

#include "agentlock/character_classes.hpp"
#include "agentlock/token_email.hpp"
#include "agentlock/token_url.hpp"

namespace agentlock::tools {
namespace {

constexpr std::size_t kWhole = 200;
constexpr std::size_t kBeginning = 120;
constexpr std::size_t kEnd = 60;
constexpr std::size_t kLongNumber = 6;

bool is_shown(char32_t c, bool after_letter) {
  const auto point = static_cast<UChar32>(c);
  // An empty Braille cell is a symbol that looks like nothing.
  if (c == '`' || c == '<' || c == 0x2800) return false;
  if (u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) return false;
  const std::uint32_t category = U_GET_GC_MASK(point);
  if ((category & U_GC_M_MASK) != 0) return after_letter;
  return (category & (U_GC_L_MASK | U_GC_N_MASK | U_GC_P_MASK | U_GC_S_MASK)) != 0;
}

std::string escaped(char32_t c) {
  std::array<char, 16> buffer{};
  const int length =
      std::snprintf(buffer.data(), buffer.size(), "\\u{%X}", static_cast<unsigned>(c));
  return {buffer.data(), static_cast<std::size_t>(length)};
}

// Code points up to `count` from the end.
std::string_view last_code_points(std::string_view text, std::size_t count) {
  std::size_t begin = text.size();
  while (begin > 0 && count > 0) {
    begin -= code_point_before(text, begin).length;
    --count;
  }
  return text.substr(begin);
}

void append_long_numbers(std::string_view text, std::vector<TextRange>& found) {
  for (std::size_t at = find_decimal_digit(text, 0); at < text.size();
       at = find_decimal_digit(text, at)) {
    const std::size_t begin = at;
    std::size_t digits = 0;
    while (at < text.size() && is_decimal_digit(code_point_at(text, at).value)) {
      at += code_point_at(text, at).length;
      ++digits;
    }
    if (digits >= kLongNumber) found.push_back({begin, at});
  }
}

}  // namespace

std::string shown(std::string_view text) {
  std::string line;
  bool after_letter = false;
  bool after_space = true;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    const bool space = c.value == ' ' && !after_space && at + 1 < text.size();
    if (space || is_shown(c.value, after_letter)) {
      line += text.substr(at, c.length);
    } else {
      line += escaped(c.value);
    }
    after_letter =
        (U_GET_GC_MASK(static_cast<UChar32>(c.value)) & (U_GC_L_MASK | U_GC_M_MASK)) != 0;
    after_space = space;
    at += c.length;
  }
  return line;
}

std::string shortened(std::string_view text) {
  if (count_code_points(text) <= kWhole) return std::string(text);
  const std::string_view beginning = first_code_points(text, kBeginning);
  const std::string_view end = last_code_points(text, kEnd);
  std::vector<TextRange> told;
  find_emails(text, told);
  find_urls(text, told);
  append_long_numbers(text, told);
  std::ranges::sort(told, {}, &TextRange::begin);
  std::string between;
  std::size_t reached = 0;
  for (const TextRange range : told) {
    // What stands in the beginning or the end is shown there.
    if (range.end <= beginning.size() || range.begin >= text.size() - end.size()) continue;
    if (range.end <= reached) continue;
    reached = range.end;
    between += " ... " + std::string(piece(text, range));
  }
  return std::string(beginning) + between + " ... " + std::string(end);
}

}  // namespace agentlock::tools
