#include "base/encoding.hpp"

#include <array>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using namespace std::string_view_literals;

namespace agentlock {
namespace {

TEST_CASE("hex is lowercase, and reads back in either case", "[unit]") {
  CHECK(to_hex(""sv) == "");
  CHECK(to_hex("\x00\x7F\x80\xFF"sv) == "007f80ff");
  const std::array<std::uint8_t, 3> bytes{0xDE, 0xAD, 0x01};
  CHECK(to_hex(bytes) == "dead01");
  CHECK(from_hex("dead01") == std::vector<std::uint8_t>{0xDE, 0xAD, 0x01});
  CHECK(from_hex("DEad01") == from_hex("dead01"));
  CHECK(from_hex("") == std::vector<std::uint8_t>{});
}

TEST_CASE("what is no hex is not read", "[unit]") {
  for (const std::string_view text : {"0"sv, "abc"sv, "0g"sv, "g0"sv, " 0"sv, "0x"sv, "-1"sv,
                                      "\0\0"sv, "\xFF\xFF"sv, "00 11"sv}) {
    INFO(text);
    CHECK_FALSE(from_hex(text));
  }
}

// https://www.rfc-editor.org/rfc/rfc4648#section-10
TEST_CASE("base64 gives the vectors of RFC 4648", "[unit]") {
  CHECK(to_base64("") == "");
  CHECK(to_base64("f") == "Zg==");
  CHECK(to_base64("fo") == "Zm8=");
  CHECK(to_base64("foo") == "Zm9v");
  CHECK(to_base64("foob") == "Zm9vYg==");
  CHECK(to_base64("fooba") == "Zm9vYmE=");
  CHECK(to_base64("foobar") == "Zm9vYmFy");
  CHECK(to_base64("\xFB\xFF\xFE"sv) == "+//+");
  CHECK(to_base64("\x00\x00\x00"sv) == "AAAA");
}

TEST_CASE("well-formed UTF-8 is told from what only looks like it", "[unit]") {
  for (const std::string_view text :
       {""sv, "\0"sv, "\x7F"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv,
        "\xEE\x80\x80"sv, "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv}) {
    INFO(to_hex(text));
    CHECK(is_utf8(text));
    CHECK(is_utf8("a" + std::string(text) + "z"));
  }
  for (const std::string_view text : {"\x80"sv,              // begins in the middle
                                      "\xBF"sv,              //
                                      "\xC0\x80"sv,          // overlong
                                      "\xC1\xBF"sv,          //
                                      "\xE0\x9F\xBF"sv,      //
                                      "\xF0\x8F\xBF\xBF"sv,  //
                                      "\xED\xA0\x80"sv,      // surrogates
                                      "\xED\xBF\xBF"sv,      //
                                      "\xF4\x90\x80\x80"sv,  // beyond U+10FFFF
                                      "\xF5\x80\x80\x80"sv,  //
                                      "\xFE"sv,              //
                                      "\xFF"sv,              //
                                      "\xC2"sv,              // cut off
                                      "\xE2\x82"sv,          //
                                      "\xF0\x9F\x98"sv,      //
                                      "\xC2\x41"sv,          // goes on wrongly
                                      "\xE2\x41\x80"sv,      //
                                      "\xE2\x82\xC2"sv}) {
    INFO(to_hex(text));
    CHECK_FALSE(is_utf8(text));
    CHECK_FALSE(is_utf8("a" + std::string(text)));
    CHECK_FALSE(is_utf8(std::string(text) + "z"));
  }
}

TEST_CASE("a text is cut between characters and never inside of one", "[unit]") {
  const std::string_view text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";  // 1, 2, 3 and 4 bytes
  const std::size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t most = 0; most < std::size(expected); ++most) {
    INFO(most);
    CHECK(utf8_prefix(text, most).size() == expected[most]);
    CHECK(is_utf8(utf8_prefix(text, most)));
  }
  CHECK(utf8_prefix("", 5).empty());
  CHECK(utf8_prefix("\x80\x80\x80"sv, 2).size() <= 2);
}

}  // namespace
}  // namespace agentlock
