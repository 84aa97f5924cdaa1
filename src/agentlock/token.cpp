#include "agentlock/token.hpp"

#include <algorithm>
#include <utility>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/token_email.hpp"
#include "agentlock/token_url.hpp"
#include "agentlock/token_word.hpp"

namespace agentlock {
namespace {

TextRange shifted(TextRange range, std::size_t by) { return {range.begin + by, range.end + by}; }

void append_kept(TokenKind kind, std::vector<std::string> found, std::size_t min_length,
                 LoweredText& text, std::vector<TokenView>& tokens) {
  for (std::string& token : found) {
    if (count_code_points(token) < min_length) continue;
    tokens.push_back({kind, text.keep(std::move(token))});
  }
}

// The canonical forms that lie within one word.
void append_word_forms(LoweredText& text, std::string_view word, std::size_t min_length,
                       std::vector<TokenView>& tokens) {
  if (const std::string plain = refanged(word); !plain.empty()) {
    std::vector<TextRange> urls;
    find_urls(plain, urls);
    for (const TextRange range : urls) {
      const std::string lowered = lowercase(piece(plain, range));
      const std::string_view token = canonical_url(lowered);
      if (!token.empty()) tokens.push_back({TokenKind::kUrl, text.keep(std::string(token))});
    }
  }
  std::vector<std::string> dates;
  append_dates(word, dates);
  append_kept(TokenKind::kDate, std::move(dates), min_length, text, tokens);
}

std::vector<Token> sorted_once(const std::vector<TokenView>& views) {
  std::vector<Token> tokens;
  tokens.reserve(views.size());
  for (const TokenView& view : views) tokens.push_back({view.kind, std::string(view.text)});
  std::ranges::sort(tokens);
  const auto repeated = std::ranges::unique(tokens);
  tokens.erase(repeated.begin(), repeated.end());
  return tokens;
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

void append_word_tokens(LoweredText& text, TextRange word, std::size_t min_length,
                        std::vector<TokenView>& tokens) {
  const std::string_view original = piece(text.original(), word);
  std::vector<TextRange> found;
  find_emails(original, found);
  for (const TextRange range : found) {
    tokens.push_back({TokenKind::kEmail, text.lowered(shifted(range, word.begin))});
  }
  found.clear();
  find_urls(original, found);
  for (const TextRange range : found) {
    const std::string_view token = canonical_url(text.lowered(shifted(range, word.begin)));
    if (!token.empty()) tokens.push_back({TokenKind::kUrl, token});
  }
  const std::string_view token = canonical_word(text.lowered(word), min_length);
  if (!token.empty()) tokens.push_back({TokenKind::kStr, token});
  append_word_forms(text, original, min_length, tokens);
}

void append_number_tokens(LoweredText& text, std::size_t min_length,
                          std::vector<TokenView>& tokens) {
  std::vector<std::string> phones;
  append_phones(text.original(), phones);
  append_kept(TokenKind::kPhone, std::move(phones), min_length, text, tokens);
  std::vector<std::string> amounts;
  append_amounts(text.original(), amounts);
  append_kept(TokenKind::kAmount, std::move(amounts), min_length, text, tokens);
}

std::vector<Token> tokens(std::string_view text, std::size_t min_length) {
  LoweredText lowered(text);
  std::vector<TokenView> found;
  std::size_t begin = skip_spaces(text, 0);
  while (begin < text.size()) {
    const std::size_t end = find_space(text, begin);
    append_word_tokens(lowered, {begin, end}, min_length, found);
    begin = skip_spaces(text, end);
  }
  append_number_tokens(lowered, min_length, found);
  return sorted_once(found);
}

std::vector<Token> canonical_tokens(std::string_view text, std::size_t min_length) {
  LoweredText lowered(text);
  std::vector<TokenView> found;
  append_word_forms(lowered, text, min_length, found);
  append_number_tokens(lowered, min_length, found);
  return sorted_once(found);
}

}  // namespace agentlock
