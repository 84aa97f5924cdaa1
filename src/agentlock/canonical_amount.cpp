#include "agentlock/canonical_forms.hpp"

// Three shapes, the leftmost match first: a currency sign and a number; thousands in
// groups of three; exactly two decimals. The latter two begin at a whole run of
// digits that no full stop precedes, so only signs and beginnings of runs are looked
// at.

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

std::optional<std::size_t> signed_end(std::string_view text, std::size_t sign_end) {
  std::size_t at = sign_end;
  if (at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    if (is_space(c.value)) at += c.length;
  }
  Digits digits = digits_at(text, at, kAll);
  if (digits.count == 0) return std::nullopt;
  at = digits.end;
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

// The bytes with which a sign or a digit can begin.
ByteSet amount_starts() {
  ByteSet starts = kDigitStarts;
  starts['$'] = starts[0xC2] = starts[0xE2] = true;
  return starts;
}

// The first sign or digit at or after `at`, or the text's end.
std::size_t find_start(std::string_view text, std::size_t at) {
  static const ByteSet starts = amount_starts();
  for (at = find_byte(text, at, starts); at < text.size(); at = find_byte(text, at, starts)) {
    const CodePoint c = code_point_at(text, at);
    if (is_currency(c.value) || is_decimal_digit(c.value)) return at;
    at += c.length;
  }
  return text.size();
}

}  // namespace

void append_amounts(std::string_view text, std::vector<std::string>& amounts) {
  for (std::size_t at = find_start(text, 0); at < text.size(); at = find_start(text, at)) {
    const CodePoint c = code_point_at(text, at);
    std::optional<std::size_t> end;
    std::size_t next = at + c.length;
    if (is_currency(c.value)) {
      end = signed_end(text, next);
    } else {
      const Digits first = digits_at(text, at, kAll);
      next = first.end;
      const char32_t before = at > 0 ? code_point_before(text, at).value : U' ';
      if (before != '.' && !is_decimal_digit(before)) {
        end = grouped_end(text, first);
        if (!end) end = two_decimals_end(text, first);
      }
    }
    if (end) {
      std::string amount = bare_number(text.substr(at, *end - at));
      if (!amount.empty()) amounts.push_back(std::move(amount));
      next = *end;
    }
    at = next;
  }
}

}  // namespace agentlock
