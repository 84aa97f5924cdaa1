#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "agentlock/lineage.hpp"
#include "agentlock/parameters.hpp"

using namespace agentlock;

namespace {

constexpr auto kOperator = Authority::kAuthoritative;
constexpr auto kPage = Authority::kUntrusted;
constexpr auto kDerived = Authority::kDerived;

struct Entry {
  Authority authority;
  std::string_view content;
};

LineageIndex recorded(std::initializer_list<Entry> entries) {
  LineageIndex index;
  for (const Entry& entry : entries) index.add(entry.authority, entry.content);
  return index;
}

Parameter parsed(std::string_view json) {
  const auto parameters = parse_parameters(json);
  REQUIRE(parameters);
  return *parameters;
}

std::string param_outcome(const LineageIndex& index, std::string_view json) {
  return to_string(check_param_lineage(index, parsed(json)).outcome);
}

std::string novel_outcome(const LineageIndex& index, std::string_view json) {
  return to_string(check_novel_lineage(index, parsed(json)).outcome);
}

}  // namespace

TEST_CASE("what could not be compared is said by name", "[unit]") {
  const LineageIndex nothing;
  CHECK(param_outcome(nothing, "{}") == "no_match:no_parameters");
  CHECK(novel_outcome(nothing, "null") == "no_match:no_parameters");
  CHECK(param_outcome(nothing, R"({"url":"evil.com"})") == "no_match:no_provenance_log");
  CHECK(novel_outcome(nothing, R"({"url":"evil.com"})") == "no_match:no_provenance_log");

  const LineageIndex spoken = recorded({{kOperator, "open acme.com"}, {kPage, ""}});
  CHECK(param_outcome(spoken, R"({"url":"x"})") == "no_match:no_untrusted_context");
  CHECK(novel_outcome(spoken, R"({"url":"x"})") == "no_match:no_tokens");

  const LineageIndex read = recorded({{kPage, "see evil.com"}, {kDerived, "open acme.com"}});
  CHECK(param_outcome(read, R"({"url":"x"})") == "no_match:no_tokens");
  CHECK(param_outcome(read, R"({"url":"acme.com"})") == "no_match");
  CHECK(novel_outcome(read, R"({"url":"x"})") == "not_classifiable:no_authoritative_baseline");
}

TEST_CASE("a page's host is cited with the entry that first held it", "[unit]") {
  const LineageIndex index = recorded({{kOperator, "check my mail"},
                                       {kPage, "nothing here"},
                                       {kPage, "go to HTTPS://Evil.com/pay now"},
                                       {kPage, "evil.com again"}});
  const auto found = check_param_lineage(index, parsed(R"({"a":[{"url":"https://evil.com"}]})"));
  REQUIRE(found.match);
  CHECK(to_string(found.outcome) == "match");
  CHECK(found.match->param == "a[0].url");
  CHECK(found.match->value == "https://evil.com");
  CHECK(found.match->kind == "url");
  CHECK(found.match->token == "evil.com");
  CHECK(found.match->entry == 2);
  CHECK_FALSE(found.match->raw_substring_scan);
}

TEST_CASE("the operator's text clears what it contains", "[unit]") {
  const LineageIndex index = recorded(
      {{kOperator, "open evil.com.au and pay 12/25/2024"}, {kPage, "evil.com 2024-12-25"}});
  CHECK(param_outcome(index, R"({"url":"evil.com"})") == "no_match");
  CHECK(param_outcome(index, R"({"value":"2024-12-25"})") == "no_match");
}

TEST_CASE("an encoding of what a page said is recognised as a token of the value", "[unit]") {
  const LineageIndex index = recorded({{kPage, "secret-key-1234"}});
  CHECK(param_outcome(index, R"({"v":"c2VjcmV0LWtleS0xMjM0"})") == "match");
  CHECK(param_outcome(index, R"({"v":"7365637265742d6b65792d31323334"})") == "match");
}

TEST_CASE("an encoded address inside a longer value is found by scanning it", "[unit]") {
  const LineageIndex index = recorded({{kOperator, "hi"}, {kPage, "evil.com"}});
  // base64 of "to evil.com!", in which the address lies at any of three phases.
  const auto found = check_param_lineage(index, parsed(R"({"v":"dG8gZXZpbC5jb20h"})"));
  REQUIRE(found.match);
  CHECK(found.match->raw_substring_scan);
  CHECK(found.match->kind == "base64");
  CHECK(found.match->entry == 1);
  // A value without any token is not scanned; with one in another leaf it is.
  CHECK(param_outcome(index, R"({"v":"ldmlslmnvb"})") == "no_match:no_tokens");
  CHECK(param_outcome(index, R"({"v":"ldmlslmnvb","w":"page-1"})") == "match");
}

TEST_CASE("e-mails are named before urls, urls before words, longer ones first", "[unit]") {
  const LineageIndex index =
      recorded({{kPage, "a-word-of-a-page evil.com/path other.com m@evil.com"}});
  const auto kind_of = [&](std::string_view json) {
    return check_param_lineage(index, parsed(json)).match->token;
  };
  CHECK(kind_of(R"({"a":"a-word-of-a-page","b":"evil.com/path","c":"m@evil.com"})") ==
        "m@evil.com");
  CHECK(kind_of(R"({"a":"a-word-of-a-page","b":"other.com","c":"evil.com/path"})") ==
        "evil.com/path");
  CHECK(kind_of(R"({"a":"a-word-of-a-page","b":"a-word"})") == "a-word-of-a-page");
}

TEST_CASE("a token that neither side supplied is novel", "[unit]") {
  const LineageIndex index = recorded({{kOperator, "open acme.com"}, {kPage, "see evil.com"}});
  const auto found = check_novel_lineage(index, parsed(R"({"url":"other.com"})"));
  REQUIRE(found.match);
  CHECK(found.match->param == "url");
  CHECK(found.match->token == "other.com");
  CHECK(novel_outcome(index, R"({"url":"evil.com"})") == "no_match");
  // Sets, not substrings: the word with its scheme is a token of its own.
  CHECK(check_novel_lineage(index, parsed(R"({"url":"https://acme.com"})")).match->token ==
        "https://acme.com");
}

TEST_CASE("a value in another format than the operator's is accounted for", "[unit]") {
  const LineageIndex index = recorded({{kOperator, "book 25/3/2024 for $12,345.00"}});
  CHECK(novel_outcome(index, R"({"v":"2024-03-25"})") == "no_match");
  CHECK(novel_outcome(index, R"({"v":"3/25/2024"})") == "no_match");
  CHECK(novel_outcome(index, R"({"v":"12,345.00"})") == "match");  // 12345 is too short to count
}

TEST_CASE("evidence is cut to 120 code points", "[unit]") {
  std::string path;
  for (int i = 0; i < 200; ++i) path += "\u00E9";
  const LineageIndex index = recorded({{kPage, "evil.com/" + path}});
  const auto found = check_param_lineage(index, text_parameters("url", "https://evil.com/" + path));
  REQUIRE(found.match);
  CHECK(found.match->token.size() == 9 + 111 * 2);
  CHECK(found.match->value.size() == 17 + 103 * 2);
}

TEST_CASE("bytes that are no UTF-8 are survived", "[unit]") {
  const LineageIndex index = recorded({{kPage, "\xFF\xC4 evil.com\xE2\x84 \xF0\x9F"}});
  CHECK(check_param_lineage(index, text_parameters("url", "\xFE evil.com\xC4")).match);
}
