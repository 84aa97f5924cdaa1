#include "agentlock/canonical_forms.hpp"

// A candidate begins at a digit that neither a word character nor `+` precedes (a
// `+` of its own aside), and runs through digits and separators to the last digit of
// the run that no word character follows. That last digit is the same for every
// start in a run, so a run needs one look: if the first admissible start leaves it
// too near, so does each later one.

#include <utility>

#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

// Code points from the first digit of a number to its last, both counted.
constexpr std::size_t kMinSpan = 9;

bool is_phone_mark(char32_t c) {
  return c == '(' || c == ')' || c == '.' || c == '-' || is_space(c);
}

struct Run {
  std::size_t end;
  std::size_t last_digit_end;  // of the last digit that no word character follows, or 0
  std::size_t last_digit_index;
};

// Indices count code points from `begin`.
Run run_from(std::string_view text, std::size_t begin) {
  Run run{begin, 0, 0};
  bool after_digit = false;
  for (std::size_t index = 0;; ++index) {
    const bool inside = run.end < text.size();
    const CodePoint c = inside ? code_point_at(text, run.end) : CodePoint{0, 0};
    if (after_digit && !(inside && is_word_character(c.value))) {
      run.last_digit_end = run.end;
      run.last_digit_index = index - 1;
    }
    after_digit = inside && is_decimal_digit(c.value);
    if (!after_digit && !(inside && is_phone_mark(c.value))) return run;
    run.end += c.length;
  }
}

// A digit can begin a number if nothing that would make it part of something longer
// stands before it.
bool may_begin(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char32_t before = code_point_before(text, at).value;
  return before != '+' && !is_word_character(before);
}

std::string e164(std::string_view candidate) {
  std::string digits;
  std::size_t count = 0;
  for (std::size_t at = 0; at < candidate.size();) {
    const CodePoint c = code_point_at(candidate, at);
    if (is_decimal_digit(c.value)) {
      digits.append(candidate, at, c.length);
      ++count;
    }
    at += c.length;
  }
  if (candidate.front() == '+') return count >= 10 && count <= 15 ? "+" + digits : "";
  if (count == 11 && digits.front() == '1') return "+" + digits;
  return count == 10 ? "+1" + digits : "";
}

}  // namespace

std::size_t phone_at(std::string_view text, std::size_t at, std::vector<std::string>& phones) {
  const Run run = run_from(text, at);
  std::size_t index = 0;
  for (std::size_t digit = at;
       digit < run.last_digit_end && index + kMinSpan <= run.last_digit_index + 1;) {
    const CodePoint c = code_point_at(text, digit);
    if (is_decimal_digit(c.value)) {
      std::size_t begin = digit;
      if (digit > 0 && text[digit - 1] == '+' && may_begin(text, digit - 1)) begin = digit - 1;
      if (begin < digit || may_begin(text, digit)) {
        std::string phone = e164(text.substr(begin, run.last_digit_end - begin));
        if (!phone.empty()) phones.push_back(std::move(phone));
        break;
      }
    }
    digit += c.length;
    ++index;
  }
  return run.end;
}

}  // namespace agentlock
