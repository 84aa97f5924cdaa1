#include "agentlock/number_tokens.hpp"

// Most digits of a text begin neither a phone nor an amount, and the character before or
// behind their run says so. What these let through is given to those who know.

#include <algorithm>
#include <utility>

#include "agentlock/canonical_forms.hpp"

namespace agentlock {
namespace {

// Digits in a phone number, at the least.
constexpr std::size_t kPhoneDigits = 10;

std::size_t digits_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    if (!is_decimal_digit(c.value)) break;
    at += c.length;
  }
  return at;
}

// A run of digits among others: what stands next to it. Beyond ASCII all is possible.
class Run {
 public:
  Run(std::string_view text, std::size_t begin)
      : text_(text), begin_(begin), end_(digits_end(text, begin)) {}

  std::size_t end() const { return end_; }

  bool may_be_phone() const {
    const char before = begin_ > 0 ? text_[begin_ - 1] : ' ';
    if (is_ascii(before) && is_word_character(static_cast<char32_t>(before))) return false;
    if (end_ - begin_ >= kPhoneDigits) return true;
    const char behind = end_ < text_.size() ? text_[end_] : 'x';
    return !is_ascii(behind) || is_space(static_cast<char32_t>(behind)) || behind == '(' ||
           behind == ')' || behind == '.' || behind == '-';
  }

  bool may_be_amount() const {
    const char behind = end_ < text_.size() ? text_[end_] : ' ';
    if (behind == ',' || behind == '.') return true;
    // A sign, or a space before which one can stand.
    const char before = begin_ > 0 ? text_[begin_ - 1] : 'x';
    if (!is_ascii(before) || before == '$') return true;
    if (!is_space(static_cast<char32_t>(before)) || begin_ < 2) return false;
    return !is_ascii(text_[begin_ - 2]) || text_[begin_ - 2] == '$';
  }

 private:
  std::string_view text_;
  std::size_t begin_;
  std::size_t end_;
};

}  // namespace

void NumberTokens::find_in(TextRange part, std::vector<Token>& tokens) {
  const std::string_view shown = text_.substr(0, part.end);
  std::size_t digit = find_decimal_digit(shown, std::max(part.begin, end_));
  while (digit < part.end) {
    const Run run(text_, digit);
    if (digit >= phone_end_ && run.may_be_phone()) {
      phone_end_ = phone_at(text_, digit, found_);
      keep(TokenKind::kPhone, tokens);
    }
    if (digit >= amount_end_ && run.may_be_amount()) {
      amount_end_ = amount_at(text_, digit, found_);
      keep(TokenKind::kAmount, tokens);
    }
    end_ = run.end();
    digit = find_decimal_digit(shown, end_);
  }
}

void NumberTokens::keep(TokenKind kind, std::vector<Token>& tokens) {
  for (std::string& token : found_) {
    if (has_code_points(token, min_length_)) tokens.push_back({kind, std::move(token)});
  }
  found_.clear();
}

}  // namespace agentlock
