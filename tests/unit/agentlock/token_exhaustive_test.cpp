// The linear scanners against the grammars tried position by position, on every short
// text over the few characters that matter to a grammar.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "agentlock/number_tokens.hpp"
#include "agentlock/token_email.hpp"
#include "agentlock/token_url.hpp"
#include "unit/agentlock/naive_grammar.hpp"

namespace {

using namespace agentlock::test;
using agentlock::TextRange;

std::vector<std::string> pieces(const std::string& text,
                                void (*find)(std::string_view, std::vector<TextRange>&)) {
  std::vector<TextRange> ranges;
  find(text, ranges);
  std::vector<std::string> found;
  for (const TextRange range : ranges) found.emplace_back(agentlock::piece(text, range));
  return found;
}

// Calls `check` with every text of at most `longest` parts.
void each_text(const std::vector<std::string>& parts, int longest,
               const std::function<void(const std::string&)>& check,
               const std::string& start = "") {
  check(start);
  if (longest == 0) return;
  for (const std::string& part : parts) each_text(parts, longest - 1, check, start + part);
}

struct Tally {
  int texts = 0;
  int matches = 0;
  int wrong = 0;

  void count(const std::string& text, const std::vector<std::string>& found,
             const std::vector<std::string>& expected) {
    ++texts;
    matches += static_cast<int>(expected.size());
    if (found == expected) return;
    if (++wrong <= 5) UNSCOPED_INFO("differs on: " << text);
  }
};

}  // namespace

TEST_CASE("e-mails are found as if each position were tried", "[unit]") {
  Tally tally;
  each_text({"a", "bc", "@", ".", "-"}, 7, [&](const std::string& text) {
    tally.count(text, pieces(text, agentlock::find_emails), all_matches(text, match_email));
  });
  CHECK(tally.matches > 1000);
  CHECK(tally.wrong == 0);
}

TEST_CASE("urls are found as if each position were tried", "[unit]") {
  Tally tally;
  const auto check = [&](const std::string& text) {
    tally.count(text, pieces(text, agentlock::find_urls), all_matches(text, match_url));
  };
  each_text({"a", "bc", ".", "-", "1", "/ "}, 6, check);
  each_text({"http://", "https://", "x.https://", "ab", ".", "-", "/"}, 5, check);
  CHECK(tally.matches > 4000);
  CHECK(tally.wrong == 0);
}

TEST_CASE("phones are found as if each position were tried", "[unit]") {
  Tally tally;
  each_text({"1", "2345", " 5", "+", "x", "-"}, 6, [&](const std::string& text) {
    std::vector<agentlock::Token> numbers;
    agentlock::NumberTokens(text, 0).find_in({0, text.size()}, numbers);
    std::vector<std::string> phones;
    for (const agentlock::Token& number : numbers) {
      if (number.kind == agentlock::TokenKind::kPhone) phones.push_back(number.text);
    }
    tally.count(text, phones, naive_phones(text));
  });
  CHECK(tally.matches > 1000);
  CHECK(tally.wrong == 0);
}
