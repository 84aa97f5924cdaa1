#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentlock {

/// What a token looked like where it was found. The order is alphabetical, as the
/// engine's last sort key is the kind's name.
enum class TokenKind { kAmount, kDate, kEmail, kPhone, kStr, kUrl };

/// "amount", "date", "email", "phone", "str", "url".
std::string_view to_string(TokenKind kind);

/// Which kinds are compared first: e-mail 0, url 1, str 2, all others 3.
/// Source: agentlock-engine.md, section 7, "Candidates".
int rank(TokenKind kind);

/// A distinctive piece of a text, in lowercase. No token holds a space, none is
/// empty, and those of kind url and email are at least 4 bytes long.
struct Token {
  TokenKind kind;
  std::string text;

  auto operator<=>(const Token&) const = default;
};

/// The tokens of a text, each once, sorted: e-mails, urls, plain words of at least
/// `min_length` code points, and the canonical forms. The same function serves
/// recorded text and parameters. Source: agentlock-engine.md, sections 3 and 4.
std::vector<Token> tokens(std::string_view text, std::size_t min_length);

/// Only the canonical forms: defanged urls, dates, phones, amounts.
std::vector<Token> canonical_tokens(std::string_view text, std::size_t min_length);

}  // namespace agentlock
