#include <algorithm>
#include <array>
#include <optional>

#include <unicode/uchar.h>

#include "agentlock/spelling.hpp"
#include "agentlock/written_forms.hpp"

namespace agentlock {
namespace {

constexpr std::array<std::string_view, 21> kWords = {
    "zero",     "one",     "two",     "three",     "four",     "five",     "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};

// A number with `thousands` between groups of three digits and `decimal` before its
// fraction, as bare digits and a full stop; nothing if it is not written so.
std::optional<std::string> read_number(std::string_view text, char thousands, char decimal) {
  std::string bare;
  std::size_t group = 0;
  bool grouped = false;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != decimal; ++at) {
    if (text[at] == thousands) {
      if (group == 0 || group > 3 || (grouped && group != 3)) return std::nullopt;
      grouped = true;
      group = 0;
    } else if (is_ascii_digit(text[at])) {
      bare += text[at];
      ++group;
    } else {
      return std::nullopt;
    }
  }
  if (bare.empty() || (grouped && group != 3)) return std::nullopt;
  // 007 is a name.
  if (bare.size() > 1 && bare.front() == '0') return std::nullopt;
  if (at == text.size()) return bare;
  std::string fraction(text.substr(at + 1));
  if (fraction.empty() || !std::ranges::all_of(fraction, is_ascii_digit)) return std::nullopt;
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? bare : bare + '.' + fraction;
}

std::vector<std::string> readings(std::string_view text) {
  std::vector<std::string> all;
  for (const auto& [thousands, decimal] :
       {std::pair{',', '.'}, {'.', ','}, {' ', ','}, {' ', '.'}, {'\'', '.'}}) {
    auto number = read_number(text, thousands, decimal);
    if (number && std::ranges::find(all, *number) == all.end()) all.push_back(std::move(*number));
  }
  return all;
}

bool is_currency(char32_t c) { return u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL; }

// The end of the number that begins at `begin`: digits, and single separators that
// stand before a digit (a space only before three).
std::size_t number_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    if (is_ascii_digit(text[end])) {
      ++end;
      continue;
    }
    const bool separates =
        text[end] == ',' || text[end] == '.' || text[end] == '\'' || text[end] == ' ';
    std::size_t digits = 0;
    while (end + 1 + digits < text.size() && is_ascii_digit(text[end + 1 + digits])) ++digits;
    if (!separates || digits == 0 || (text[end] == ' ' && digits != 3)) break;
    ++end;
  }
  return end;
}

struct Currency {
  std::string sign;
  std::size_t begin;
};

// The sign before a number, if there is one.
Currency currency_before(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end > 0 && text[end - 1] == ' ') --end;
  if (end == 0) return {"", at};
  const CodePoint c = code_point_before(text, end);
  if (!is_currency(c.value)) return {"", at};
  return {std::string(text.substr(end - c.length, c.length)), end - c.length};
}

void add(std::string_view text, std::size_t begin, std::size_t end, Side side,
         std::vector<WrittenForm>& found) {
  const Currency currency = currency_before(text, begin);
  std::vector<std::string> forms;
  for (const std::string& number : readings(text.substr(begin, end - begin))) {
    const std::string bare = "number:" + number;
    // A sign may be added where the operator wrote none, and left out, but not changed.
    if (side == Side::kOperator) {
      forms.push_back(bare);
      forms.push_back(bare + (currency.sign.empty() ? "?" : currency.sign));
    } else if (currency.sign.empty()) {
      forms.push_back(bare);
    } else {
      forms.push_back(bare + "?");
      forms.push_back(bare + currency.sign);
    }
  }
  if (!forms.empty()) found.push_back({{currency.begin, end}, std::move(forms)});
}

void add_words(std::string_view text, std::vector<WrittenForm>& found) {
  for (const TextRange range : words_of(text)) {
    const auto word = std::ranges::find(kWords, piece(text, range));
    if (word == kWords.end()) continue;
    found.push_back({range, {"number:" + std::to_string(word - kWords.begin())}});
  }
}

}  // namespace

void append_number_forms(std::string_view spelled, Side side, std::vector<WrittenForm>& found) {
  for (std::size_t at = find_decimal_digit(spelled, 0); at < spelled.size();
       at = find_decimal_digit(spelled, at)) {
    if (!is_ascii_digit(spelled[at])) {
      at += code_point_at(spelled, at).length;
      continue;
    }
    const std::size_t begin = at;
    const std::size_t end = number_end(spelled, begin);
    at = end;
    constexpr std::string_view kSigns = "-+@#./:,'";
    const std::size_t before = currency_before(spelled, begin).begin;
    const bool is_part = !word_ends_before(spelled, before) ||
                         (before > 0 && kSigns.find(spelled[before - 1]) != kSigns.npos);
    constexpr std::string_view kGoesOn = "-@/:%";
    const bool goes_on = word_begins_at(spelled, end) ||
                         (end < spelled.size() && kGoesOn.find(spelled[end]) != kGoesOn.npos);
    if (is_part || goes_on) continue;
    add(spelled, begin, end, side, found);
    // Numbers that only a space parts can also be two.
    const std::string_view whole = spelled.substr(begin, end - begin);
    if (whole.find(' ') == whole.npos) continue;
    for (std::size_t part = begin; part < end;) {
      const std::size_t part_end = std::min(spelled.find(' ', part), end);
      add(spelled, part, part_end, side, found);
      part = part_end + 1;
    }
  }
  add_words(spelled, found);
}

}  // namespace agentlock
