#include "cli/report_text.hpp"

#include <catch2/catch.hpp>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "unit/cli/report_support.hpp"

using namespace agentlock;
using namespace agentlock::test;
using cli::report::excerpt;
using cli::report::shown;

namespace {

std::string marked(const std::string& escape) {
  return "<span class=\"esc\">" + escape + "</span>";
}

std::string utf8(char32_t c) {
  std::string bytes(4, '\0');
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(reinterpret_cast<std::uint8_t*>(bytes.data()), size, c);
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

}  // namespace

TEST_CASE("markup in a text of the log is shown and does nothing", "[unit]") {
  CHECK(shown("<script>alert(1)</script>") == "&lt;script&gt;alert(1)&lt;/script&gt;");
  CHECK(shown("\" onload='x' &amp;") == "&quot; onload=&#39;x&#39; &amp;amp;");
}

TEST_CASE("what can't be seen, or moves what can, is shown as an escape", "[unit]") {
  CHECK(shown("\x1b[2J") == marked("\\u{1B}") + "[2J");
  CHECK(shown("a\nb\tc\r") == "a" + marked("\\n") + "b" + marked("\\t") + "c" + marked("\\r"));
  CHECK(shown(std::string(1, '\0')) == marked("\\u{00}"));
  CHECK(shown(utf8(0x202E) + "txt.exe") == marked("\\u{202E}") + "txt.exe");
  for (const char32_t c :
       {0x85U, 0x9BU, 0xA0U, 0xADU, 0x61CU, 0x115FU, 0x200BU, 0x200DU, 0x2028U, 0x2066U, 0x2800U,
        0x3000U, 0x3164U, 0xE000U, 0xFE0FU, 0xFEFFU, 0xFFFFU, 0xE0041U, 0x10FFFFU}) {
    INFO(static_cast<std::uint32_t>(c));
    CHECK(shown(utf8(c)).starts_with("<span class=\"esc\">\\u{"));
  }
}

TEST_CASE("an escape differs from a text that has its letters", "[unit]") {
  CHECK(shown("\\n") == "\\n");
  CHECK(shown("\\n") != shown("\n"));
  CHECK(shown("<span class=\"esc\">\\n</span>") != shown("\n"));
}

TEST_CASE("bytes that are not UTF-8 are shown one by one", "[unit]") {
  CHECK(shown("a\xff\xfe") == "a" + marked("\\xff") + marked("\\xfe"));
  // A lone surrogate, an overlong slash, a sequence that is cut short.
  CHECK(shown("\xed\xa0\x80") == marked("\\xed") + marked("\\xa0") + marked("\\x80"));
  CHECK(shown("\xc0\xaf") == marked("\\xc0") + marked("\\xaf"));
  CHECK(shown("\xe2\x82<b>") == marked("\\xe2") + marked("\\x82") + "&lt;b&gt;");
  CHECK(shown("\xef\xbf\xbd") == "\xef\xbf\xbd");
}

TEST_CASE("text in the world's scripts stays as it is", "[unit]") {
  for (const std::string text : {"Grüße, naïve Łódź", "Ελληνικά Кириллица", "עברית العربية",
                                 "हिन्दी ภาษาไทย", "日本語 한국어", "e\xcc\x81", "100 € → 42 %"}) {
    CHECK(shown(text) == text);
  }
}

TEST_CASE("marks are not piled up over other lines, nor put on what stands before", "[unit]") {
  std::string pile = "a";
  for (int i = 0; i < 100; ++i) pile += "\xcc\x81";
  const std::string html = shown(pile);
  CHECK(count_of(html, "\xcc\x81") == 3);
  CHECK(count_of(html, marked("\\u{301}")) == 97);
  CHECK(shown("\xcc\x81") == marked("\\u{301}"));
  CHECK(shown("\n\xcc\x81") == marked("\\n") + marked("\\u{301}"));
}

TEST_CASE("no code point at all comes through that a reader can't see", "[unit]") {
  constexpr std::uint32_t kUnseen = U_GC_C_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string html = shown("x" + utf8(c));
    for (std::size_t at = 0; at < html.size();) {
      std::int32_t offset = 0;
      UChar32 out = 0;
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(html.data() + at);
      U8_NEXT(bytes, offset, static_cast<std::int32_t>(html.size() - at), out);
      at += static_cast<std::size_t>(offset);
      const bool unseen = out < 0 || (U_GET_GC_MASK(out) & kUnseen) != 0 ||
                          u_hasBinaryProperty(out, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
      if (unseen) FAIL("U+" << std::hex << static_cast<std::uint32_t>(c));
    }
  }
}

TEST_CASE("an excerpt ends between characters and knows the whole", "[unit]") {
  const auto cut = excerpt("aé", 2);
  CHECK(cut.text == "a");
  CHECK(cut.bytes == 3);
  CHECK(cut.cut());
  CHECK_FALSE(excerpt("aé", 3).cut());
}

TEST_CASE("numbers and sizes are words for people", "[unit]") {
  using namespace cli::report;
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'234'567) == "1,234,567");
  CHECK(counted(1, "line") == "1 line");
  CHECK(counted(1'000, "line") == "1,000 lines");
  CHECK(size_words(1) == "1 byte");
  CHECK(size_words(999) == "999 bytes");
  CHECK(size_words(4'200) == "4.2 KB");
  CHECK(size_words(999'999) == "1.0 MB");
  CHECK(size_words(UINT64_MAX) == "18.4 EB");
}
