// Token extraction: what the header promises of each token, the scanners against the
// grammars tried position by position, and the use that it is for: a value taken from
// a page's tokens is found to come from that page.
//
// Input: one byte for the shortest length that counts, then the text.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/lineage.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/number_tokens.hpp"
#include "agentlock/token.hpp"
#include "agentlock/token_email.hpp"
#include "agentlock/token_url.hpp"
#include "agentlock/token_word.hpp"
#include "base/encoding.hpp"
#include "fuzz/require.hpp"
#include "unit/agentlock/naive_grammar.hpp"

namespace {

using namespace agentlock;
using fuzz::require;

// The grammars tried position by position are quadratic, and the index is built anew.
constexpr std::size_t kMaxNaive = 512;

bool is_all_ascii(std::string_view text) { return std::ranges::all_of(text, is_ascii); }

std::vector<std::string> pieces(std::string_view text,
                                void (*find)(std::string_view, std::vector<TextRange>&)) {
  std::vector<TextRange> ranges;
  find(text, ranges);
  std::vector<std::string> found;
  for (const TextRange range : ranges) found.emplace_back(piece(text, range));
  return found;
}

std::vector<std::string> phones_in(std::string_view text) {
  std::vector<Token> numbers;
  NumberTokens(text, 0).find_in({0, text.size()}, numbers);
  std::vector<std::string> phones;
  for (Token& number : numbers) {
    if (number.kind == TokenKind::kPhone) phones.push_back(std::move(number.text));
  }
  return phones;
}

bool holds_space(std::string_view text) { return find_space(text, 0) < text.size(); }

void check_token(const Token& token, std::size_t min_length) {
  require(!token.text.empty(), "no token is empty");
  require(!holds_space(token.text), "no token holds a space");
  require(lowercase(token.text) == token.text, "a token is in lowercase");
  const std::size_t length = count_code_points(token.text);
  switch (token.kind) {
    case TokenKind::kEmail:
      require(length >= 4, "an e-mail is at least 4 long");
      if (is_all_ascii(token.text)) {
        require(pieces(token.text, find_emails) == std::vector{token.text},
                "an e-mail is found again in itself");
      }
      break;
    case TokenKind::kUrl:
      require(length >= 4, "a url is at least 4 long");
      require(token.text.find('.') != std::string::npos, "a url holds a full stop");
      break;
    case TokenKind::kStr:
      require(canonical_word(token.text, min_length) == token.text,
              "a word's token is the token of itself");
      break;
    case TokenKind::kDate: {
      std::vector<std::string> dates;
      append_dates(token.text, dates);
      require(dates == std::vector{token.text}, "a date is the canonical form of itself");
      break;
    }
    case TokenKind::kPhone:
      require(phones_in(token.text) == std::vector{token.text},
              "a phone is the canonical form of itself");
      break;
    case TokenKind::kAmount:
      require(std::ranges::count(token.text, '.') <= 1, "an amount has one full stop at most");
      break;
  }
  // Of malformed text there is more than one way to count.
  const bool is_counted = token.kind != TokenKind::kEmail && token.kind != TokenKind::kUrl;
  if (is_counted && is_utf8(token.text)) {
    require(length >= min_length, "a token is not shorter than asked");
  }
}

void check_grammars(std::string_view text) {
  require(pieces(text, find_emails) == test::all_matches(text, test::match_email),
          "e-mails are found as if each position were tried");
  require(pieces(text, find_urls) == test::all_matches(text, test::match_url),
          "urls are found as if each position were tried");
  require(phones_in(text) == test::naive_phones(text),
          "phones are found as if each position were tried");
}

void check_lineage(std::string_view text, const std::vector<Token>& found, std::size_t min_length) {
  LineageIndex index(min_length);
  index.add(Authority::kUntrusted, text);
  for (const Token& token : found) {
    const auto parameters = text_parameters("value", token.text);
    const bool has_tokens = !tokens(token.text, min_length).empty();
    const ParamLineage lineage = check_param_lineage(index, parameters);
    require(lineage.match.has_value() == (lineage.outcome.result == LineageResult::kMatch),
            "a match is told if and only if there is one");
    require(lineage.match.has_value() == has_tokens, "a page's token comes from that page");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t min_length = data[0] % 16;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);

  const std::vector<Token> found = tokens(text, min_length);
  require(std::ranges::is_sorted(found), "tokens are sorted");
  require(std::ranges::adjacent_find(found) == found.end(), "each token is there once");
  for (const Token& token : found) check_token(token, min_length);
  if (!holds_space(text)) {
    require(std::ranges::includes(found, canonical_tokens(text, min_length)),
            "the canonical forms are among the tokens");
  }
  if (size > kMaxNaive) return 0;
  if (is_all_ascii(text)) check_grammars(text);
  check_lineage(text, found, min_length);
  return 0;
}
