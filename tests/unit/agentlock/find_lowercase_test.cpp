#include "agentlock/find_lowercase.hpp"

#include <optional>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "agentlock/lowercase.hpp"

using agentlock::find_lowercase;

TEST_CASE("a token is found in whatever case its letters stand", "[unit]") {
  CHECK(find_lowercase("See EVIL.com", "evil.com") == 4);
  CHECK(find_lowercase("evil.org Evil.Com", "evil.com") == 9);
  CHECK_FALSE(find_lowercase("evil-com", "evil.com"));
  CHECK_FALSE(find_lowercase("", "a"));
  CHECK(find_lowercase("caf\u00E9 CAF\u00E9.example", "caf\u00E9.example") == 6);
  // `@` and a backquote differ from each other as capitals and small letters do.
  CHECK_FALSE(find_lowercase("a@b", "a`b"));
}

TEST_CASE("a place is the first one, as a search through a lowered copy finds it", "[unit]") {
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t left = random() % 40; left > 0; --left) text += "abAB."[random() % 5];
    std::string token;
    for (std::size_t left = 1 + random() % 5; left > 0; --left) token += "ab."[random() % 3];
    const std::size_t place = agentlock::lowercase(text).find(token);
    const auto expected = place == std::string::npos ? std::nullopt : std::optional(place);
    REQUIRE(find_lowercase(text, token) == expected);
  }
}

TEST_CASE("a text of one letter is not searched again and again", "[unit]") {
  // Hours, if each place were compared in full.
  const std::string text(4'000'000, 'A');
  const std::string token = "b" + std::string(1'000'000, 'a');
  CHECK_FALSE(find_lowercase(text, token));
  CHECK(find_lowercase(text + "b" + text, token) == text.size());
}
