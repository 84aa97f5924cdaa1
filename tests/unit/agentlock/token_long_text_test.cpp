// Texts that the published engine takes minutes or hours for. The test's time-out is
// the assertion; what is checked is that the answers are still right.

#include <string>

#include <catch2/catch.hpp>

#include "agentlock/lineage.hpp"
#include "agentlock/token.hpp"

using namespace agentlock;

namespace {

// A run of 40,000 letters takes the published engine two minutes.
constexpr std::size_t kLong = 200000;
constexpr std::size_t kMegabyte = 1000000;

std::string repeated(std::string_view part, std::size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

}  // namespace

TEST_CASE("a long text without a break is worked through", "[unit]") {
  const auto part =
      GENERATE(as<std::string>(), "a", "a.", "1", "1 ", "-", "a-", "aa@", "a@a.", ".", "aa.", "1,",
               "$1", "1/", "(", "[.]", "http://", "\u03A3", "\u0130", "%2e", "+1", "1.11 ", "www.");
  const std::string text = repeated(part, kLong);
  LineageIndex index;
  index.add(Authority::kAuthoritative, "compare the offers on acme.com");
  index.add(Authority::kUntrusted, text + " evil.com " + text);

  const auto host = text_parameters("url", "https://evil.com");
  const auto match = check_param_lineage(index, host).match;
  REQUIRE(match);
  CHECK(match->token == "evil.com");
  CHECK_FALSE(check_novel_lineage(index, text_parameters("url", "evil.com")).match);

  // And as a parameter.
  const auto long_value = text_parameters("value", text);
  CHECK(check_param_lineage(index, long_value).outcome.result != LineageResult::kNotClassifiable);
}

TEST_CASE("the last address behind a megabyte of letters is found", "[unit]") {
  const std::string text = repeated("a", kMegabyte) + "@evil.com";
  const auto found = tokens(text, 6);
  REQUIRE(found.size() == 3);
  CHECK(found[0].kind == TokenKind::kEmail);
  CHECK(found[0].text == text);
  CHECK(found[2].kind == TokenKind::kUrl);
  CHECK(found[2].text == "evil.com");
}
