#include "agentlock/token.hpp"

#include <algorithm>

#include "agentlock/character_classes.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/number_tokens.hpp"
#include "agentlock/word_tokens.hpp"

namespace agentlock {
namespace {

// Calls `visit` with each word of a text.
template <typename Visit>
void each_word(std::string_view text, Visit visit) {
  std::size_t begin = skip_spaces(text, 0);
  while (begin < text.size()) {
    const std::size_t end = find_space(text, begin);
    visit(text.substr(begin, end - begin));
    begin = skip_spaces(text, end);
  }
}

void append(const std::vector<TokenView>& views, std::vector<Token>& tokens) {
  for (const TokenView& view : views) tokens.push_back({view.kind, std::string(view.text)});
}

void sort_once(std::vector<Token>& tokens) {
  std::ranges::sort(tokens);
  const auto repeated = std::ranges::unique(tokens);
  tokens.erase(repeated.begin(), repeated.end());
}

}  // namespace

std::string_view to_string(TokenKind kind) {
  switch (kind) {
    case TokenKind::kAmount:
      return "amount";
    case TokenKind::kDate:
      return "date";
    case TokenKind::kEmail:
      return "email";
    case TokenKind::kPhone:
      return "phone";
    case TokenKind::kStr:
      return "str";
    case TokenKind::kUrl:
      return "url";
  }
  return "";
}

int rank(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEmail:
      return 0;
    case TokenKind::kUrl:
      return 1;
    case TokenKind::kStr:
      return 2;
    default:
      return 3;
  }
}

std::vector<Token> tokens(std::string_view text, std::size_t min_length) {
  std::vector<Token> found;
  WordTokens words(min_length);
  if (text.find(kDottedI) == std::string_view::npos) {
    each_word(lowercase(text),
              [&](std::string_view word) { append(words.of(word, traits_of(word)), found); });
  } else {
    each_word(text, [&](std::string_view word) { append(words.of_written(word), found); });
  }
  NumberTokens(text, min_length).find_in({0, text.size()}, found);
  sort_once(found);
  return found;
}

std::vector<Token> canonical_tokens(std::string_view text, std::size_t min_length) {
  std::vector<Token> found;
  WordTokens words(min_length);
  each_word(text, [&](std::string_view word) { append(words.forms_of(word), found); });
  NumberTokens(text, min_length).find_in({0, text.size()}, found);
  sort_once(found);
  return found;
}

}  // namespace agentlock
