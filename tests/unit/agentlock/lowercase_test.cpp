// The fast lowercase against ICU's own, which it stands for.

#include "agentlock/lowercase.hpp"

#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/utf8.h>

namespace {

std::string by_icu(std::string_view text) {
  std::string lowered;
  icu::StringByteSink<std::string> sink(&lowered);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                            sink, nullptr, status);
  return lowered;
}

std::string utf8(char32_t c) {
  char bytes[U8_MAX_LENGTH];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(c));
  return {bytes, length};
}

bool is_surrogate(char32_t c) { return c >= 0xD800 && c < 0xE000; }

}  // namespace

TEST_CASE("each character is lowered as ICU lowers it", "[unit]") {
  int wrong = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (is_surrogate(c)) continue;
    // In the middle of eight bytes of ASCII, and alone.
    for (const std::string& text : {"aB" + utf8(c) + "cDeFgHiJ", utf8(c)}) {
      if (agentlock::lowercase(text) == by_icu(text)) continue;
      if (++wrong <= 5) UNSCOPED_INFO("U+" << std::hex << static_cast<unsigned>(c));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("texts of all sorts are lowered as ICU lowers them, malformed ones too", "[unit]") {
  std::mt19937 random(7);
  const std::string_view parts[] = {
      "A",      "Zebra ", "\u00C9", "\u0130",     "\u03A3",        ".",        "\u039F\u03A3 ",
      "\u023A", "\u212A", "\u1E9E", "\xFF",       "\xC4",          "\xE2\x84", "\U00010400",
      "\u4E2D", " ",      "'",      "ABCDEFGHIJ", "\u0416\u0443 ", "\u2019S"};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t left = random() % 8; left > 0; --left) text += parts[random() % 20];
    INFO(text);
    REQUIRE(agentlock::lowercase(text) == by_icu(text));
  }
}

TEST_CASE("lowercase is appended to what is there", "[unit]") {
  std::string text = "Kept ";
  agentlock::append_lowercase("\u00C9T\u00C9", text);
  CHECK(text == "Kept \u00E9t\u00E9");
  agentlock::append_lowercase("\u039F\u03A3", text);
  CHECK(text == "Kept \u00E9t\u00E9\u03BF\u03C2");
}
