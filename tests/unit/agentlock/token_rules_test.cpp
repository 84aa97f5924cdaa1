#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "agentlock/token.hpp"

namespace {

using agentlock::TokenKind;

// The tokens of one kind in a text, at the usual minimum length of 6.
std::vector<std::string> of_kind(TokenKind kind, std::string_view text) {
  std::vector<std::string> found;
  for (const agentlock::Token& token : agentlock::tokens(text, 6)) {
    if (token.kind == kind) found.push_back(token.text);
  }
  return found;
}

std::vector<std::string> emails(std::string_view text) { return of_kind(TokenKind::kEmail, text); }
std::vector<std::string> urls(std::string_view text) { return of_kind(TokenKind::kUrl, text); }
std::vector<std::string> words(std::string_view text) { return of_kind(TokenKind::kStr, text); }
std::vector<std::string> dates(std::string_view text) { return of_kind(TokenKind::kDate, text); }
std::vector<std::string> phones(std::string_view text) { return of_kind(TokenKind::kPhone, text); }
std::vector<std::string> amounts(std::string_view text) {
  return of_kind(TokenKind::kAmount, text);
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("an e-mail ends after the letters behind its last full stop that has two", "[unit]") {
  CHECK(emails("write to Mallory@Evil.COM now") == List{"mallory@evil.com"});
  CHECK(emails("m@evil.com1") == List{"m@evil.com"});
  CHECK(emails("m@a.bc.d") == List{"m@a.bc"});
  CHECK(emails("m@a.b.cd") == List{"m@a.b.cd"});
  CHECK(emails("m@1.2.3.4").empty());
  CHECK(emails("m@.com").empty());
  CHECK(emails("@evil.com").empty());
  CHECK(emails("a@b.com@c.com") == List{"a@b.com"});
  CHECK(emails("a@b.com1@c.org") == List{"1@c.org", "a@b.com"});
}

TEST_CASE("the grammars know four letters beyond ASCII and no others", "[unit]") {
  CHECK(urls("ev\u0131l.com") == List{"ev\u0131l.com"});
  CHECK(urls("ev\u017Fl.com") == List{"ev\u017Fl.com"});
  CHECK(urls("evil.\u212Aom") == List{"evil.kom"});
  CHECK(urls("ev\u0130l.com") == List{"evi\u0307l.com"});
  CHECK(urls("ev\u00E9l.com") == List{"l.com"});
  CHECK(emails("b\u0131b@evil.com") == List{"b\u0131b@evil.com"});
}

TEST_CASE("a url loses its scheme, www. and the punctuation at its end", "[unit]") {
  CHECK(urls("(https://WWW.Evil.com/a/b.)") == List{"evil.com/a/b"});
  CHECK(urls("http://evil.com/?'\"!:;,.") == List{"evil.com"});
  CHECK(urls("www.abc").empty());
  CHECK(urls("a.bc") == List{"a.bc"});
  CHECK(urls("http\u017F://evil.com/x") == List{"http\u017F://evil.com/x"});
}

TEST_CASE("a url has no word boundary, and a path only directly after its host", "[unit]") {
  CHECK(urls("x_evil.com") == List{"evil.com"});
  CHECK(urls("foo.bar1") == List{"foo.bar"});
  CHECK(urls("evil.com:80/x") == List{"evil.com"});
  CHECK(urls("evil.com?q") == List{"evil.com"});
  CHECK(urls("evil.com/<a href='x'>") == List{"evil.com/<a"});
  CHECK(urls("evil.com/a\u00A0b") == List{"evil.com/a"});
  CHECK(urls("evil.com/a\u200Bb") == List{"evil.com/a\u200Bb"});
  CHECK(urls("readme.md") == List{"readme.md"});
  CHECK(urls("a.https://evil.com") == List{"a.https", "evil.com"});
  CHECK(urls("evil-.good.com") == List{"good.com"});
  CHECK(urls("-evil.com") == List{"evil.com"});
  CHECK(urls("a.b.c.de.f") == List{"a.b.c.de"});
  CHECK(urls("a..bc.de") == List{"bc.de"});
}

TEST_CASE("a plain word counts by its length or by a sign that it is no plain word", "[unit]") {
  CHECK(words("\"order-66\", (x)") == List{"order-66"});
  CHECK(words("abc12").empty());
  CHECK(words("abc123") == List{"abc123"});
  CHECK(words("abcdefghijk").empty());
  CHECK(words("abcdefghijkl") == List{"abcdefghijkl"});
  CHECK(words("`order-66`") == List{"`order-66`"});
  CHECK(words("order-66.") == List{"order-66."});
  // Non-ASCII digits are no sign; lengths are those of the lowered word.
  CHECK(words("abc\u0661\u0662\u0663").empty());
  CHECK(words("\u0130\u0130\u0130\u0130\u0130\u0130").size() == 1);
  CHECK(words("\u0130\u0130\u0130\u0130\u0130").empty());
}

TEST_CASE("a word is lowered with the final sigma of its own end", "[unit]") {
  CHECK(words("\u039F\u0394\u039F\u03A3-123") == List{"\u03BF\u03B4\u03BF\u03C2-123"});
  CHECK(words("123-\u039F\u0394\u039F\u03A3") == List{"123-\u03BF\u03B4\u03BF\u03C2"});
  CHECK(words("1234.\u03A3.\u03B1") == List{"1234.\u03C3.\u03B1"});
}

TEST_CASE("a defanged host is read as the host it stands for", "[unit]") {
  CHECK(urls("evil[.]com") == List{"evil.com"});
  CHECK(urls("evil(DOT)com/a") == List{"evil.com/a"});
  CHECK(urls("evil{.}com") == List{"evil.com"});
  CHECK(urls("evil{dot}com").empty());
  CHECK(urls("hxxp://evil[dot]com (dot)") == List{"evil.com"});
}

TEST_CASE("a date becomes ISO where its order is certain", "[unit]") {
  CHECK(dates("2024-03-25") == List{"2024-03-25"});
  CHECK(dates("25/3/2024") == List{"2024-03-25"});
  CHECK(dates("3/25/2024") == List{"2024-03-25"});
  CHECK(dates("3/4/2024").empty());
  CHECK(dates("13/13/2024").empty());
  CHECK(dates("2024-13-01").empty());
  CHECK(dates("2024-01-32").empty());
  CHECK(dates("12024-03-25").empty());
  CHECK(dates("2024-03-251").empty());
  CHECK(dates("\u0662\u0660\u0662\u0664-\u0660\u0663-\u0662\u0665") == List{"2024-03-25"});
}

TEST_CASE("a phone number becomes its digits with the country's", "[unit]") {
  CHECK(phones("call (415) 555-1234 now") == List{"+14155551234"});
  CHECK(phones("+44 20 7946 0958") == List{"+442079460958"});
  CHECK(phones("1-415-555-1234") == List{"+14155551234"});
  CHECK(phones("2-415-555-1234").empty());
  CHECK(phones("x4155551234").empty());
  CHECK(phones("4155551234x").empty());
  // One candidate runs over neighbouring numbers, and then the count is wrong.
  CHECK(phones("415-555-1234 415-555-1234").empty());
  CHECK(phones("4155551234 5x") == List{"+14155551234"});
}

TEST_CASE("an amount becomes a bare number", "[unit]") {
  CHECK(amounts("$12,345.60") == List{"12345.6"});
  CHECK(amounts("$1,000.00").empty());  // 1000 is too short
  CHECK(amounts("\u20AC 100000") == List{"100000"});
  CHECK(amounts("$  100000").empty());
  CHECK(amounts("1,234,567") == List{"1234567"});
  CHECK(amounts("12,34,567").empty());
  CHECK(amounts("12345.67") == List{"12345.67"});
  CHECK(amounts("12345.678").empty());
  CHECK(amounts("1.12345.67").empty());
}

TEST_CASE("one address is several tokens", "[unit]") {
  const auto found = agentlock::tokens("mallory@evil.com", 6);
  CHECK(found == std::vector<agentlock::Token>{{TokenKind::kEmail, "mallory@evil.com"},
                                               {TokenKind::kStr, "mallory@evil.com"},
                                               {TokenKind::kUrl, "evil.com"}});
}
