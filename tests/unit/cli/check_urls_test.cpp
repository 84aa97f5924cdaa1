#include "cli/check_urls.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace agentlock {
namespace {

std::string checked(const std::string& lines) {
  std::istringstream input(lines);
  std::ostringstream output;
  CHECK(cli::check_urls(input, output) == 0);
  return output.str();
}

TEST_CASE("check --format urls prints href and origin, or why a URL is refused", "[unit]") {
  CHECK(checked("HTTPS://Example.com:443/a b\n") ==
        "{\"input\":\"HTTPS://Example.com:443/a b\",\"href\":\"https://example.com/a%20b\","
        "\"origin\":\"https://example.com\"}\n");
  const Json refused = *parse_json(checked("javascript:alert(1)"));
  CHECK(refused.at("input") == "javascript:alert(1)");
  CHECK(refused.at("refused").get<std::string>().find("http") != std::string::npos);
  CHECK_FALSE(refused.contains("href"));
}

TEST_CASE("check --format urls answers each line with one line", "[unit]") {
  const std::string output =
      checked("https://a\n\n\xFF\r\nhttps://b\n" + std::string(3'000'000, 'x') + "\nhttps://c");
  std::istringstream lines(output);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(*parse_json(line));
  REQUIRE(answers.size() == 6);
  CHECK(answers[0].at("origin") == "https://a");
  CHECK(answers[1].contains("refused"));
  CHECK(answers[2].contains("refused"));
  CHECK(answers[3].at("origin") == "https://b");
  CHECK(answers[4].at("refused").get<std::string>().find("1 MiB") != std::string::npos);
  CHECK(answers[4].at("input").get<std::string>().size() < 300);
  CHECK(answers[5].at("origin") == "https://c");
}

TEST_CASE("a hostile list of URLs can't steer the terminal", "[unit]") {
  const std::string hostile =
      "https://a/\x1b]0;x\x07\x7f\xC2\x9B\xE2\x80\xAE\xE2\x80\xA8\n\xFF\x9B\r\n"
      "https://\xE2\x80\xAE.test/\n";
  const std::string output = checked(hostile);
  CHECK(std::count(output.begin(), output.end(), '\n') == 3);
  for (const char c : output) REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7F)));
}

TEST_CASE("check --format urls fails if nobody takes its output", "[unit]") {
  std::istringstream input("https://a\n");
  std::ostringstream output;
  output.setstate(std::ios::badbit);
  CHECK(cli::check_urls(input, output) == 1);
}

}  // namespace
}  // namespace agentlock
