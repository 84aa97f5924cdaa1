#include "agentlock/number_tokens.hpp"

#include <algorithm>
#include <utility>

#include "agentlock/canonical_forms.hpp"

namespace agentlock {

void NumberTokens::find_in(TextRange part, std::vector<Token>& tokens) {
  const std::string_view shown = text_.substr(0, part.end);
  const auto search = [&](std::size_t& end, std::size_t (*find_at)(std::string_view, std::size_t,
                                                                   std::vector<std::string>&)) {
    std::size_t digit = find_decimal_digit(shown, std::max(part.begin, end));
    while (digit < part.end) {
      end = find_at(text_, digit, found_);
      digit = find_decimal_digit(shown, end);
    }
  };
  search(phone_end_, phone_at);
  keep(TokenKind::kPhone, tokens);
  search(amount_end_, amount_at);
  keep(TokenKind::kAmount, tokens);
}

void NumberTokens::keep(TokenKind kind, std::vector<Token>& tokens) {
  for (std::string& token : found_) {
    if (has_code_points(token, min_length_)) tokens.push_back({kind, std::move(token)});
  }
  found_.clear();
}

}  // namespace agentlock
