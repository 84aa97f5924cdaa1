#include "agentlock/canonical_forms.hpp"

// Three shapes, the leftmost match first: a currency sign and a number; thousands in
// groups of three; exactly two decimals. The latter two begin at a whole run of
// digits that no full stop precedes, so only beginnings of runs are looked at, and what
// stands before them.

#include <algorithm>
#include <optional>

#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

bool is_currency(char32_t c) { return c == '$' || c == U'\u20AC' || c == U'\u00A3'; }

struct Digits {
  std::size_t end;
  std::size_t count;
};

Digits digits_at(std::string_view text, std::size_t at, std::size_t most) {
  Digits digits{at, 0};
  while (digits.end < text.size() && digits.count < most) {
    const CodePoint c = code_point_at(text, digits.end);
    if (!is_decimal_digit(c.value)) break;
    digits.end += c.length;
    ++digits.count;
  }
  return digits;
}

constexpr std::size_t kAll = static_cast<std::size_t>(-1);

bool is_at(std::string_view text, std::size_t at, char c) {
  return at < text.size() && text[at] == c;
}

// The end of a full stop and digits at `at`, or `at`.
std::size_t fraction_end(std::string_view text, std::size_t at) {
  if (!is_at(text, at, '.')) return at;
  const Digits digits = digits_at(text, at + 1, kAll);
  return digits.count > 0 ? digits.end : at;
}

std::size_t signed_end(std::string_view text, const Digits& first) {
  Digits digits = first;
  std::size_t at = digits.end;
  while (is_at(text, at, ',') || digits.count > 0) {
    if (is_at(text, at, ',')) ++at;
    digits = digits_at(text, at, kAll);
    at = digits.end;
  }
  return fraction_end(text, at);
}

std::optional<std::size_t> grouped_end(std::string_view text, const Digits& first) {
  if (first.count > 3) return std::nullopt;
  std::size_t at = first.end;
  while (is_at(text, at, ',')) {
    const Digits group = digits_at(text, at + 1, 3);
    if (group.count < 3) break;
    at = group.end;
  }
  if (at == first.end) return std::nullopt;
  return fraction_end(text, at);
}

std::optional<std::size_t> two_decimals_end(std::string_view text, const Digits& first) {
  if (!is_at(text, first.end, '.')) return std::nullopt;
  const Digits decimals = digits_at(text, first.end + 1, 3);
  if (decimals.count != 2) return std::nullopt;
  return decimals.end;
}

std::string bare_number(std::string_view match) {
  std::string number;
  for (std::size_t at = 0; at < match.size();) {
    const CodePoint c = code_point_at(match, at);
    if (c.value == '.' || is_decimal_digit(c.value)) number.append(match, at, c.length);
    at += c.length;
  }
  if (number.find('.') != std::string::npos) {
    number.resize(number.find_last_not_of('0') + 1);
    number.resize(number.find_last_not_of('.') + 1);
  }
  return number;
}

// Where a currency sign stands before `digit`, directly or with one space between, or
// `digit`.
std::size_t sign_before(std::string_view text, std::size_t digit) {
  if (digit == 0) return digit;
  CodePoint before = code_point_before(text, digit);
  std::size_t at = digit - before.length;
  if (is_space(before.value) && at > 0) {
    before = code_point_before(text, at);
    at -= before.length;
  }
  return is_currency(before.value) ? at : digit;
}

}  // namespace

std::size_t amount_at(std::string_view text, std::size_t digit, std::vector<std::string>& amounts) {
  const Digits first = digits_at(text, digit, kAll);
  std::size_t begin = digit;
  std::optional<std::size_t> end;
  if (const std::size_t sign = sign_before(text, digit); sign < digit) {
    begin = sign;
    end = signed_end(text, first);
  } else {
    const char32_t before = digit > 0 ? code_point_before(text, digit).value : U' ';
    if (before == '.' || is_decimal_digit(before)) return first.end;
    end = grouped_end(text, first);
    if (!end) end = two_decimals_end(text, first);
  }
  if (!end) return first.end;
  std::string amount = bare_number(text.substr(begin, *end - begin));
  if (!amount.empty()) amounts.push_back(std::move(amount));
  return *end;
}

}  // namespace agentlock
