#include "cli/report_text.hpp"

#include <array>
#include <cstdio>

#include <unicode/uchar.h>

#include "agentlock/character_classes.hpp"
#include "base/encoding.hpp"

namespace agentlock::cli::report {
namespace {

// More on one letter than any living script stacks: they would be drawn over the
// lines above and below.
constexpr int kMostMarks = 3;

bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & (U_GC_MN_MASK | U_GC_ME_MASK)) != 0; }

bool is_unseen(UChar32 c) {
  constexpr std::uint32_t kUnseen = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK |
                                    U_GC_CN_MASK | U_GC_ZS_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
  if (c == ' ') return false;
  constexpr UChar32 kBrailleBlank = 0x2800;
  return (U_GET_GC_MASK(c) & kUnseen) != 0 || c == kBrailleBlank ||
         u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

std::string marked(const std::string& escape) {
  return "<span class=\"esc\">" + escape + "</span>";
}

std::string escape_of(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "\\u{%02X}", static_cast<unsigned>(c));
  return text.data();
}

}  // namespace

Excerpt excerpt(std::string_view text, std::size_t most) {
  return {std::string(utf8_prefix(text, most)), text.size()};
}

std::string shown(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 8);
  // A mark at the beginning would sit on what stands before the text.
  int marks = kMostMarks;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const std::string_view bytes = text.substr(at, point.length);
    const auto c = static_cast<UChar32>(point.value);
    at += point.length;
    if (point.value == 0xFFFD && point.length == 1) {
      html += marked("\\x" + to_hex(bytes));
      marks = kMostMarks;
      continue;
    }
    marks = is_mark(c) ? marks + 1 : 0;
    if (is_unseen(c) || marks > kMostMarks) {
      html += marked(escape_of(point.value));
      if (marks == 0) marks = kMostMarks;
    } else if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else {
      html += bytes;
    }
  }
  return html;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string size_words(std::uint64_t bytes) {
  if (bytes < 1'000) return counted(bytes, "byte");
  constexpr const char* kUnits[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
  double size = static_cast<double>(bytes) / 1'000;
  std::size_t unit = 0;
  while (size >= 999.95 && unit + 1 < std::size(kUnits)) {
    size /= 1'000;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", size, kUnits[unit]);
  return text.data();
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return grouped(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace agentlock::cli::report
