#include "base/log.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "base/encoding.hpp"
#include "unit/base/captured_stderr.hpp"

using namespace std::string_view_literals;

namespace agentlock {
namespace {

using test::CapturedStderr;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a page's control characters reach the operator's terminal as text", "[unit]") {
  CapturedStderr captured;
  log::warning("a\nagentlock-browser: error: forged\r\x1b[31m\x7f\0\b"sv);
  log::warning(
      "C1: \xC2\x9B"
      "31m \xC2\x85 \xC2\x80 \xC2\xA0");
  log::warning(
      "bytes: \x9B"
      "31m \xFF");
  const std::string text = captured.take();
  CHECK(contains(text, R"(a\x0aagentlock-browser: error: forged\x0d\x1b[31m\x7f\x00\x08)"));
  CHECK(contains(text, R"(C1: \xc2\x9b31m \xc2\x85 \xc2\x80 )"
                       "\xC2\xA0"));
  CHECK(contains(text, R"(bytes: \x9b31m \xff)"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(is_utf8(text));
}

TEST_CASE("a page's text can't turn a line of the operator's terminal around", "[unit]") {
  CapturedStderr captured;
  log::warning("\u202Eevil\u202C \u2066x\u2069 \u200Ey \u061Cz \u2028next");
  CHECK(captured.take() ==
        "agentlock-browser: warning: \\xe2\\x80\\xaeevil\\xe2\\x80\\xac "
        "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9 \\xe2\\x80\\x8ey \\xd8\\x9cz \\xe2\\x80\\xa8next\n");
}

TEST_CASE("text in any language is logged as it is", "[unit]") {
  CapturedStderr captured;
  log::warning("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 {} %s");
  CHECK(captured.take() ==
        "agentlock-browser: warning: caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 {} %s\n");
}

TEST_CASE("a message of any length stays one line", "[unit]") {
  CapturedStderr captured;
  for (const std::size_t length : {3'900U, 3'970U, 4'000U, 4'100U, 20'000U}) {
    log::warning(std::string(length, 'x'));
    log::warning(std::string(length, '\x1b'));
  }
  std::string euros;
  for (int i = 0; i < 2'000; ++i) euros += "\xE2\x82\xAC";
  log::warning(euros);
  log::warning("the next");
  const std::string text = captured.take();
  CHECK(std::count(text.begin(), text.end(), '\n') == 12);
  CHECK(text.ends_with("\nagentlock-browser: warning: the next\n"));
  CHECK(is_utf8(text));
}

TEST_CASE("a stderr that nobody reads blocks nothing, and what was dropped is counted", "[unit]") {
  CapturedStderr captured;
  captured.fill();
  for (int i = 0; i < 1'000; ++i) log::warning("lost");  // blocks here if it ever does
  CHECK_FALSE(contains(captured.take(), "lost"));
  log::warning("seen");
  CHECK(captured.take() == "(1000 lines dropped)\nagentlock-browser: warning: seen\n");
  log::warning("again");
  CHECK(captured.take() == "agentlock-browser: warning: again\n");
}

TEST_CASE("a stderr that is gone ends nothing", "[unit]") {
  {
    CapturedStderr captured;
    captured.hang_up();
    log::warning("into a pipe without a reader");  // SIGPIPE would end this process
    ::close(STDERR_FILENO);
    log::warning("into nothing");
  }
  CapturedStderr captured;
  log::warning("seen");
  CHECK(captured.take() == "(2 lines dropped)\nagentlock-browser: warning: seen\n");
}

TEST_CASE("what is below the level is not written", "[unit]") {
  CapturedStderr captured;
  log::info("quiet");
  log::debug("quieter");
  CHECK(captured.take() == "");
  log::error("loud");
  CHECK(captured.take() == "agentlock-browser: error: loud\n");
  log::set_level(log::Level::kDebug);
  log::debug("now");
  CHECK(captured.take() == "agentlock-browser: debug: now\n");
  log::set_level(log::Level::kOff);
  log::error("off");
  CHECK(captured.take() == "");
  log::set_level(log::Level::kWarning);
}

TEST_CASE("a level is named by its word, and an unknown word means warning", "[unit]") {
  CHECK(log::level_of("trace") == log::Level::kTrace);
  CHECK(log::level_of("debug") == log::Level::kDebug);
  CHECK(log::level_of("info") == log::Level::kInfo);
  CHECK(log::level_of("warning") == log::Level::kWarning);
  CHECK(log::level_of("error") == log::Level::kError);
  CHECK(log::level_of("off") == log::Level::kOff);
  CHECK(log::level_of("ERROR") == log::Level::kWarning);
  CHECK(log::level_of("") == log::Level::kWarning);
}

}  // namespace
}  // namespace agentlock
