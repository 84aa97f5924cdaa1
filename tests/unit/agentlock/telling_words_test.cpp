// That a word is passed by means that no token stands in it: tried with all tokens that
// can be cut out of it.

#include "agentlock/telling_words.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "agentlock/byte_blocks.hpp"
#include "agentlock/character_classes.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/token.hpp"

using namespace agentlock;

namespace {

void each_text(const std::vector<std::string>& parts, int longest,
               const std::function<void(const std::string&)>& check,
               const std::string& start = "") {
  check(start);
  if (longest == 0) return;
  for (const std::string& part : parts) each_text(parts, longest - 1, check, start + part);
}

// The tokens of all pieces of a word that stand in its lowercase.
std::set<std::string> tokens_in(const std::string& word, std::size_t min_length) {
  const std::string lowered = lowercase(word);
  std::set<std::string> all;
  for (std::size_t begin = 0; begin < lowered.size(); ++begin) {
    for (std::size_t length = 1; begin + length <= lowered.size(); ++length) {
      for (const Token& token : tokens(lowered.substr(begin, length), min_length)) {
        if (lowered.find(token.text) != std::string::npos) all.insert(token.text);
      }
    }
  }
  return all;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = skip_spaces(text, 0); begin < text.size();) {
    const std::size_t end = find_space(text, begin);
    words.emplace_back(text.substr(begin, end - begin));
    begin = skip_spaces(text, end);
  }
  return words;
}

}  // namespace

TEST_CASE("no token stands in a word that is passed by", "[unit]") {
  const auto min_length = GENERATE(as<std::size_t>(), 1, 4, 6, 9, 14);
  int told = 0;
  int passed = 0;
  int wrong = 0;
  const std::vector<std::string> parts = {"a", "bcdef",  "1",      ".",    "@",     "(",
                                          ")", "dot",    ":",      "-",    ",",     "/",
                                          "]", "\u00E9", "\u0661", "www.", "\u0130"};
  each_text(parts, 3, [&](const std::string& word) {
    if (word.empty()) return;
    TellingWords words(word, min_length);
    const bool stops = words.next();
    const std::string telling = stops ? lowercase(words.telling()) : "";
    ++(telling.empty() ? passed : told);
    for (const std::string& token : tokens_in(word, min_length)) {
      if (telling.find(token) != std::string::npos) continue;
      if (++wrong <= 5) UNSCOPED_INFO(word << " holds " << token);
    }
  });
  CHECK(told > 1000);
  CHECK(passed > 200);
  CHECK(wrong == 0);
}

TEST_CASE("words are told apart by all spaces, wherever blocks of 64 bytes end", "[unit]") {
  const std::vector<std::string> spaces = {" ",      "\n",     "\x1C",   "\u0085", "\u00A0",
                                           "\u1680", "\u2003", "\u2029", "\u205F", "\u3000"};
  for (std::size_t before = 0; before < 140; ++before) {
    for (const std::string& space : spaces) {
      const std::string text =
          std::string(before, 'x') + space + "word-1" + space + space + "\u200Bword-2" + space;
      std::vector<std::string> found;
      TellingWords words(text, 6);
      while (words.next()) found.emplace_back(words.telling());
      std::vector<std::string> expected;
      for (const std::string& word : words_of(text)) {
        if (word[0] != 'x' || word.size() >= 12) expected.push_back(word);
      }
      INFO(before << " bytes before");
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("each word with a digit is stopped at, and where it stands is said", "[unit]") {
  const std::string text = "a 1, bc \u0661. hello 12 (3)";
  std::vector<std::string> found;
  TellingWords words(text, 6);
  while (words.next()) {
    CHECK(words.traits().digit);
    CHECK(words.telling().empty());
    found.emplace_back(piece(text, words.range()));
  }
  CHECK(found == std::vector<std::string>{"1,", "\u0661.", "12", "(3)"});
}

TEST_CASE("a block says of each byte what it is", "[unit]") {
  const std::string_view marks = "-./0123456789:@_([{";
  for (int value = 0; value < 256; ++value) {
    const char byte = static_cast<char>(value);
    for (const std::size_t size : {std::size_t{64}, std::size_t{70}, std::size_t{3}}) {
      for (std::size_t at = 0; at < std::min<std::size_t>(size, 64); at += 7) {
        std::string text(size, 'x');
        text[at] = byte;
        const BlockMasks masks = masks_at(text, 0);
        const std::uint64_t bit = std::uint64_t{1} << at;
        const std::uint64_t behind = size < 64 ? ~std::uint64_t{0} << size : 0;
        const bool is_ascii_space = value < 0x80 && is_space(static_cast<char32_t>(value));
        REQUIRE(masks.space == ((is_ascii_space ? bit : 0) | behind));
        REQUIRE(masks.mark == (marks.find(byte) != std::string_view::npos ? bit : 0));
        REQUIRE(masks.lead == (value >= 0xC0 ? bit : 0));
      }
    }
  }
}
