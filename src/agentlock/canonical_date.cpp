#include <array>
#include <cstdio>
#include <optional>

#include <unicode/uchar.h>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

// A whole run of decimal digits; its value counts only up to four of them.
struct Number {
  std::size_t end;
  std::size_t digits;
  int value;
};

int digit_value(char32_t digit) {
  return digit < 0x80 ? static_cast<int>(digit) - '0'
                      : u_charDigitValue(static_cast<UChar32>(digit));
}

Number number_at(std::string_view text, std::size_t at) {
  Number number{at, 0, 0};
  while (number.end < text.size()) {
    const CodePoint c = code_point_at(text, number.end);
    if (!is_decimal_digit(c.value)) break;
    if (number.digits < 4) number.value = number.value * 10 + digit_value(c.value);
    ++number.digits;
    number.end += c.length;
  }
  return number;
}

using Fields = std::array<Number, 3>;

// Three numbers with the same separator between them, the first being given.
std::optional<Fields> fields_from(std::string_view text, const Number& first, char separator) {
  Fields fields{first, {}, {}};
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const std::size_t at = fields[i - 1].end;
    if (at >= text.size() || text[at] != separator) return std::nullopt;
    fields[i] = number_at(text, at + 1);
  }
  return fields;
}

bool short_number(const Number& number) { return number.digits == 1 || number.digits == 2; }

struct Date {
  int year;
  int month;
  int day;
};

std::optional<Date> date_from(std::string_view text, const Number& first) {
  if (first.digits == 4) {
    const auto iso = fields_from(text, first, '-');
    if (!iso || (*iso)[1].digits != 2 || (*iso)[2].digits != 2) return std::nullopt;
    return Date{first.value, (*iso)[1].value, (*iso)[2].value};
  }
  if (!short_number(first)) return std::nullopt;
  const auto slashed = fields_from(text, first, '/');
  if (!slashed || !short_number((*slashed)[1]) || (*slashed)[2].digits != 4) return std::nullopt;
  const int a = first.value;
  const int b = (*slashed)[1].value;
  const int year = (*slashed)[2].value;
  if (a > 12 && b <= 12) return Date{year, b, a};
  if (b > 12 && a <= 12) return Date{year, a, b};
  return std::nullopt;  // ambiguous, or no date at all
}

}  // namespace

void append_dates(std::string_view text, std::vector<std::string>& dates) {
  std::size_t at = find_decimal_digit(text, 0);
  while (at < text.size()) {
    const Number first = number_at(text, at);
    const auto date = date_from(text, first);
    if (date && date->month >= 1 && date->month <= 12 && date->day >= 1 && date->day <= 31) {
      std::array<char, 32> iso;
      std::snprintf(iso.data(), iso.size(), "%04d-%02d-%02d", date->year, date->month, date->day);
      dates.emplace_back(iso.data());
    }
    at = find_decimal_digit(text, first.end);
  }
}

}  // namespace agentlock
