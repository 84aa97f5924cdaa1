// The index against a plain search through everything that it stands for.

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "agentlock/character_classes.hpp"
#include "agentlock/encodings.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/substring_index.hpp"
#include "agentlock/token.hpp"
#include "agentlock/untrusted_text.hpp"

using namespace agentlock;

namespace {

std::string random_text(std::mt19937& random, std::string_view alphabet, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += alphabet[random() % alphabet.size()];
  return text;
}

// Section 7, steps 3 and 6, as they are written, for a single entry.
struct NaiveEntry {
  std::string blob;
  std::set<std::string> tokens;
  std::set<std::string> needles;

  explicit NaiveEntry(const std::string& content) : blob(lowercase(content)) {
    for (const Token& token : agentlock::tokens(content, 6)) {
      tokens.insert(token.text);
      blob += " " + token.text;
      for (const Encoding encoding : {Encoding::kBase64, Encoding::kHex, Encoding::kPercent}) {
        const std::string encoded = encode(token.text, encoding);
        if (count_code_points(encoded) >= 8) blob += " " + encoded;
      }
      if (token.kind != TokenKind::kUrl && token.kind != TokenKind::kEmail) continue;
      for (int encoding = 0; encoding <= static_cast<int>(Encoding::kInterior2); ++encoding) {
        const std::string encoded = encode(token.text, static_cast<Encoding>(encoding));
        if (is_needle(encoded, static_cast<Encoding>(encoding))) needles.insert(encoded);
      }
    }
  }
};

const std::vector<std::string> kFragments = {"evil.com",
                                             "https://",
                                             "www.",
                                             "a",
                                             "b",
                                             "@",
                                             "[.]",
                                             "/",
                                             "2024-03-25",
                                             " ",
                                             "x@y.org",
                                             "$12,345",
                                             ".",
                                             "K",
                                             "\u0130",
                                             "co",
                                             "longish-word",
                                             " ",
                                             "exfiltrate",
                                             "%2e",
                                             "-",
                                             "wowsatt.wwow",
                                             "+1 415 555 1234",
                                             "%2f",
                                             "%",
                                             "2e",
                                             "$ ",
                                             "1,234",
                                             ".50",
                                             "www.abc/x.y",
                                             "555 1234",
                                             "\u0661\u0662\u0663\u0664\u0665\u0666",
                                             "\u4E2D\u6587",
                                             "(dot)"};

// Only tokens are ever asked for.
std::set<std::string> tokens_of(const std::vector<std::string>& texts) {
  std::set<std::string> all;
  for (const std::string& text : texts) {
    for (Token& token : agentlock::tokens(text, 6)) all.insert(std::move(token.text));
  }
  return all;
}

std::string random_page(std::mt19937& random) {
  std::string page = "p";
  for (std::size_t i = random() % 12; i > 0; --i) page += kFragments[random() % kFragments.size()];
  return page;
}

}  // namespace

TEST_CASE("a place in a short text is the first one", "[unit]") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    SubstringIndex index;
    std::string text;
    for (int part = 0; part < 5; ++part) {
      const std::string more = random_text(random, "ab", random() % 8);
      text += more;
      index.append(more);
      for (std::size_t length = 0; length < 7; ++length) {
        const std::string pattern = random_text(random, "ab", length);
        REQUIRE(index.find(pattern) == text.find(pattern));
      }
    }
  }
}

TEST_CASE("a place in a text of many blocks is the first one", "[unit]") {
  std::mt19937 random(2);
  // Beyond 4 MiB, which is one group of blocks.
  SubstringIndex index;
  while (index.size() < (std::size_t{4} << 20U) + 100000) {
    index.append(random_text(random, "abcdefgh ", 1 + random() % 20000));
  }
  const std::string text(index.text());
  int found = 0;
  for (int round = 0; round < 80; ++round) {
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % (round % 10 == 0 ? 20000 : 100);
    std::string pattern = text.substr(at, length);
    if (round % 3 == 0) pattern.back() = '!';
    const std::size_t place = index.find(pattern);
    REQUIRE(place == text.find(pattern));
    if (place != std::string::npos) ++found;
  }
  CHECK(found > 40);
  // Over the border of two blocks.
  for (std::size_t border = 8192; border + 100 < text.size(); border += std::size_t{8} * 8192) {
    const std::string pattern = text.substr(border - 30, 60);
    REQUIRE(index.find(pattern) == border - 30);
  }
}

TEST_CASE("the index answers as a search through all entries would", "[unit]") {
  std::mt19937 random(3);
  int held = 0;
  int needled = 0;
  for (int round = 0; round < 500; ++round) {
    UntrustedText index(6);
    std::vector<NaiveEntry> entries;
    for (std::size_t count = 1 + random() % 4; count > 0; --count) {
      const std::string page = random_page(random);
      index.add(entries.size() * 10, page);
      entries.emplace_back(page);
    }
    const NaiveEntry& some = entries[random() % entries.size()];

    std::vector<std::string> asked(some.tokens.begin(), some.tokens.end());
    asked.insert(asked.end(), some.needles.begin(), some.needles.end());
    for (int cuts = 0; cuts < 8; ++cuts) {
      const std::string cut = some.blob.substr(random() % some.blob.size());
      asked.push_back(cut.substr(0, std::min(cut.find(' '), 1 + random() % 20)));
    }
    asked.push_back(random_text(random, "abcdef0123456789", 4 + random() % 4));
    for (const std::string& token : tokens_of(asked)) {
      std::optional<std::size_t> entry;
      bool is_token = false;
      for (std::size_t i = entries.size(); i-- > 0;) {
        if (entries[i].blob.find(token) != std::string::npos) entry = i * 10;
        is_token = is_token || entries[i].tokens.contains(token);
      }
      INFO(token);
      REQUIRE(index.entry_holding(token) == entry);
      REQUIRE(index.has_token(token) == is_token);
      if (entry) ++held;

      const std::string leaf = "xy" + token + (random() % 2 == 0 ? "/z" : "");
      std::optional<UntrustedText::Needle> needle;
      for (std::size_t i = 0; i < entries.size() && !needle; ++i) {
        for (const std::string& one : entries[i].needles) {
          if (leaf.find(one) == std::string::npos) continue;
          needle = UntrustedText::Needle{i * 10, one};
          break;
        }
      }
      REQUIRE(index.first_needle_in(leaf) == needle);
      if (needle) ++needled;
    }
  }
  CHECK(held > 2000);
  CHECK(needled > 700);
}

TEST_CASE("a known word that meets a new spelling of its tokens still gives them", "[unit]") {
  // The first entry knows `aa.bb/x@evil.com` as one defanged url; only the second one
  // has the address in it.
  UntrustedText index(6);
  index.add(0, "aa.bb/x@evil[.]com");
  CHECK_FALSE(index.has_token("x@evil.com"));
  index.add(1, "aa.bb/x@evil.com");
  CHECK(index.has_token("x@evil.com"));

  // U+0130 is a letter, its lowercase is not: the same lowered word, other tokens.
  UntrustedText dotted(6);
  dotted.add(0, "ev\u0130l.com");
  CHECK_FALSE(dotted.has_token("l.com"));
  dotted.add(1, "evi\u0307l.com");
  CHECK(dotted.has_token("l.com"));
}

namespace {

// Each token that can be cut out of a text, which is asked for.
std::set<std::string> tokens_cut_from(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::size_t length = 4; begin + length <= text.size(); ++length) {
      pieces.push_back(text.substr(begin, length));
    }
  }
  return tokens_of(pieces);
}

// Asks for all tokens that can be cut out of the encoded forms of a word's tokens.
int ask_for_encodings_of(const std::string& word) {
  UntrustedText index(6);
  index.add(1, word);
  const NaiveEntry naive(word);
  int held = 0;
  for (const std::string& token : naive.tokens) {
    for (const Encoding encoding : {Encoding::kBase64, Encoding::kHex, Encoding::kPercent}) {
      for (const std::string& asked : tokens_cut_from(encode(token, encoding))) {
        const bool stands = naive.blob.find(asked) != std::string::npos;
        INFO(asked << " in " << word);
        REQUIRE(index.entry_holding(asked).has_value() == stands);
        if (stands) ++held;
      }
    }
  }
  return held;
}

}  // namespace

TEST_CASE("a part of an encoded token is found wherever it begins and ends", "[unit]") {
  std::mt19937 random(4);
  int held = 0;
  for (int round = 0; round < 60; ++round) {
    held += ask_for_encodings_of(random_text(random, "abcxyz019.-/@:%_=+", 6 + random() % 9));
    std::string long_word = "\u0434\u043E\u043C-";
    for (std::size_t left = 1 + random() % 4; left > 0; --left) {
      long_word += std::vector<std::string>{"a", "b", ".", "\u00E9", "\u4E2D"}[random() % 5];
    }
    held += ask_for_encodings_of(long_word);
  }
  CHECK(held > 5000);
}

TEST_CASE("a token that looks like percent form has one of its own", "[unit]") {
  int held = 0;
  const std::vector<std::string> parts = {"%", "2", "e", ".", "a", "%2e"};
  std::vector<std::string> words = {"pre-"};
  for (int length = 0; length < 4; ++length) {
    std::vector<std::string> longer;
    for (const std::string& word : words) {
      for (const std::string& part : parts) longer.push_back(word + part);
    }
    words = std::move(longer);
  }
  for (const std::string& word : words) held += ask_for_encodings_of(word);
  CHECK(held > 5000);
}

TEST_CASE("encoded forms are found in a text in which all bytes stand next to all", "[unit]") {
  UntrustedText index(6);
  // One word for each byte, between it and all others.
  std::string others = "\xD0\xB0\xD1\x8F\xE4\xB8\xAD\xC3\xA9\xE2\x80\x99";
  for (char c = 0x21; c < 0x7F; ++c) others += c >= 'A' && c <= 'Z' ? '-' : c;
  std::string pairs;
  for (const char c : others.substr(14)) {
    for (const char other : others.substr(14)) pairs += {c, other};
    pairs += " ";
  }
  index.add(0, pairs + others);
  std::mt19937 random(6);
  const std::string path = random_text(random, "abcdefghijklmnopqrstuvwxyz", 100);
  const std::string address = "evil.com/" + path;
  index.add(1, address);
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string whole = std::string(before, '!') + address + "!!";
    const auto interior =
        static_cast<Encoding>(static_cast<std::size_t>(Encoding::kInterior0) + before);
    const auto needle = index.first_needle_in(encode(whole, Encoding::kBase64));
    REQUIRE(needle);
    CHECK(needle->entry == 1);
    CHECK(needle->text == encode(address, interior));
    // And where it is the parameter that is a part of a form.
    const std::string form = encode(address, Encoding::kBase64);
    CHECK(index.entry_holding(form.substr(before, 80)) == 1);
  }
  CHECK_FALSE(index.entry_holding(encode("good.com/" + path, Encoding::kBase64).substr(0, 80)));
}
