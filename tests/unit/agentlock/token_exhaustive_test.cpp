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

namespace {

using agentlock::is_ascii_digit;
using agentlock::is_ascii_letter;
using agentlock::TextRange;

constexpr std::size_t kNone = std::string_view::npos;

bool is_alphanumeric(char c) { return is_ascii_letter(c) || is_ascii_digit(c); }
bool is_local(char c) { return is_alphanumeric(c) || std::string_view("._%+-").find(c) != kNone; }
bool is_host(char c) { return is_alphanumeric(c) || c == '.' || c == '-'; }

// The end of two or more letters at `at`, or kNone.
std::size_t letters(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_ascii_letter(text[end])) ++end;
  return end - at >= 2 ? end : kNone;
}

using Matcher = std::function<std::size_t(std::string_view, std::size_t)>;

std::vector<std::string> all_matches(std::string_view text, const Matcher& match) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = match(text, at);
    if (end == kNone) {
      ++at;
    } else {
      found.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }
  return found;
}

std::size_t match_email(std::string_view text, std::size_t at) {
  std::size_t local = at;
  while (local < text.size() && is_local(text[local])) ++local;
  if (local == at || local == text.size() || text[local] != '@') return kNone;
  std::size_t host = local + 1;
  while (host < text.size() && is_host(text[host])) ++host;
  for (; host > local + 1; --host) {
    if (host < text.size() && text[host] == '.' && letters(text, host + 1) != kNone) {
      return letters(text, host + 1);
    }
  }
  return kNone;
}

std::size_t match_host(std::string_view text, std::size_t at, bool has_label) {
  std::size_t label = at;
  while (label < text.size() && (is_alphanumeric(text[label]) || text[label] == '-')) ++label;
  const bool is_label = label > at && label < text.size() && text[label] == '.' &&
                        text[at] != '-' && text[label - 1] != '-';
  if (is_label) {
    const std::size_t end = match_host(text, label + 1, true);
    if (end != kNone) return end;
  }
  if (!has_label) return kNone;
  std::size_t end = letters(text, at);
  if (end != kNone && end < text.size() && text[end] == '/') end = agentlock::find_space(text, end);
  return end;
}

std::size_t match_url(std::string_view text, std::size_t at) {
  for (const std::string_view scheme : {"https://", "http://", ""}) {
    if (!text.substr(at).starts_with(scheme)) continue;
    const std::size_t end = match_host(text, at + scheme.size(), false);
    if (end != kNone) return end;
  }
  return kNone;
}

// With the digits counted, as only numbers that pass are seen from outside.
std::size_t match_phone(std::string_view text, std::size_t at) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && (is_alphanumeric(text[i]) || text[i] == '_');
  };
  if (at > 0 && (is_word(at - 1) || text[at - 1] == '+')) return kNone;
  const std::size_t first = text[at] == '+' ? at + 1 : at;
  if (first >= text.size() || !is_ascii_digit(text[first])) return kNone;
  std::size_t end = first + 1;
  while (end < text.size() &&
         (is_ascii_digit(text[end]) || std::string_view(" ().-").find(text[end]) != kNone)) {
    ++end;
  }
  for (; end >= first + 9; --end) {
    if (is_ascii_digit(text[end - 1]) && !is_word(end)) return end;
  }
  return kNone;
}

std::vector<std::string> naive_phones(std::string_view text) {
  std::vector<std::string> phones;
  for (const std::string& candidate : all_matches(text, match_phone)) {
    std::string digits;
    for (const char c : candidate) {
      if (is_ascii_digit(c)) digits += c;
    }
    if (candidate.front() == '+') {
      if (digits.size() >= 10 && digits.size() <= 15) phones.push_back("+" + digits);
    } else if (digits.size() == 11 && digits.front() == '1') {
      phones.push_back("+" + digits);
    } else if (digits.size() == 10) {
      phones.push_back("+1" + digits);
    }
  }
  return phones;
}

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
