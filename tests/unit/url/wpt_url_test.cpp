#include <string>

#include <catch2/catch.hpp>

#include "unit/url/wpt_data.hpp"

namespace agentlock {
namespace {

std::string prefixed(char mark, const std::optional<std::string>& text) {
  return text && !text->empty() ? mark + *text : std::string();
}

/// The parts under the names that the test data has for them.
Json parts_of(const Url& url) {
  const std::string port = url.port() ? std::to_string(*url.port()) : "";
  return {
      {"href", url.href()},
      {"origin", url.origin().serialize()},
      {"protocol", url.scheme() + ":"},
      {"username", url.username()},
      {"password", url.password()},
      {"host", url.host() + (port.empty() ? "" : ":" + port)},
      {"hostname", url.host()},
      {"port", port},
      {"pathname", url.path()},
      {"search", prefixed('?', url.query())},
      {"hash", prefixed('#', url.fragment())},
  };
}

/// Checks all cases of a file and gives their number.
int check_file(const std::string& name) {
  int cases = 0;
  for (const Json& test : test::wpt_data(name)) {
    if (!test.is_object()) continue;
    ++cases;
    INFO(test.dump());
    const auto url =
        test::parse_exact(test.at("input").get<std::string>(), test::optional_text(test, "base"));
    CHECK(url.has_value() != test.value("failure", false));
    if (!url || test.value("failure", false)) continue;
    const Json parts = parts_of(*url);
    for (const auto& [part, text] : parts.items()) {
      if (part == "origin" && !test.contains("origin")) continue;
      CHECK(part + " " + text.get<std::string>() == part + " " + test.at(part).get<std::string>());
    }
  }
  return cases;
}

TEST_CASE("all 891 URL cases of the web platform tests come out as the standard says", "[unit]") {
  CHECK(check_file("urltestdata.json") == 891);
}

TEST_CASE("lone surrogates in a URL count as U+FFFD", "[unit]") {
  CHECK(check_file("urltestdata-javascript-only.json") == 1);
}

TEST_CASE("every serialised URL is a fixed point of the parser", "[unit]") {
  for (const Json& test : test::wpt_data("urltestdata.json")) {
    if (!test.is_object() || test.value("failure", false)) continue;
    const std::string href = test.at("href").get<std::string>();
    INFO(href);
    CHECK(is_fixed_point(test::ExactBuffer(href).view()));
  }
}

}  // namespace
}  // namespace agentlock
