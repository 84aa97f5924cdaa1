#include "mcp/line_splitter.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace agentlock::mcp {
namespace {

std::vector<std::string> lines_of(LineSplitter& splitter, std::string_view piece) {
  splitter.push(piece);
  std::vector<std::string> lines;
  while (auto line = splitter.next()) lines.push_back(line->oversized ? "(long)" : line->text);
  return lines;
}

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

TEST_CASE("lines are the same wherever the pieces are cut", "[unit]") {
  const std::string text = "one\r\n\n \t\r\ntwo\xF0\x9F\x98\x80\nthree is too long\nfour\r\r\nfive";
  const std::vector<std::string> expected = {"one", "two\xF0\x9F\x98\x80", "(long)", "four\r",
                                             "five"};
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      LineSplitter splitter(10);
      std::vector<std::string> lines = lines_of(splitter, text.substr(0, first));
      append(lines, lines_of(splitter, text.substr(first, second - first)));
      append(lines, lines_of(splitter, text.substr(second)));
      if (const auto last = splitter.rest()) lines.push_back(last->text);
      REQUIRE(lines == expected);
    }
  }
}

TEST_CASE("a line of just the bound is whole, and one byte more is too long", "[unit]") {
  LineSplitter splitter(4);
  CHECK(lines_of(splitter, "1234\n12345\n12\n") ==
        std::vector<std::string>{"1234", "(long)", "12"});
}

TEST_CASE("a line without end is told once and never comes back", "[unit]") {
  LineSplitter splitter(4);
  CHECK(lines_of(splitter, "12345") == std::vector<std::string>{"(long)"});
  CHECK(lines_of(splitter, "67890").empty());
  CHECK(lines_of(splitter, std::string(100, 'x')).empty());
  CHECK(splitter.held_bytes() == 0);
  CHECK_FALSE(splitter.rest());
}

TEST_CASE("a stream that ends with a line feed has no further line", "[unit]") {
  LineSplitter splitter(10);
  CHECK(lines_of(splitter, "a\n").size() == 1);
  CHECK_FALSE(splitter.rest());
}

}  // namespace
}  // namespace agentlock::mcp
