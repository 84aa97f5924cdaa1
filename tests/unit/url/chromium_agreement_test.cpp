#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "unit/url/wpt_data.hpp"

// What Chromium 156 makes of the same inputs, recorded in a file. It decides where a
// navigation really goes, so of what we let through it must see the same origin.

namespace agentlock {
namespace {

bool is_networked(const std::string& scheme) {
  return scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss";
}

TEST_CASE("Chromium sees the origin that we see, but for an asterisk in the host", "[unit]") {
  int compared = 0;
  int with_asterisk = 0;
  const Json results = test::wpt_data("chromium-156-results.json");
  for (const Json& result : results.at("url")) {
    const auto url = test::parse_exact(result.at("input").get<std::string>(),
                                       test::optional_text(result, "base"));
    if (!url || !is_networked(url->scheme())) continue;
    INFO(result.dump());
    if (url->host().find('*') != std::string::npos) {
      ++with_asterisk;
      CHECK_FALSE(parse_navigable(url->href()).has_value());
      continue;
    }
    ++compared;
    CHECK(string_member(result, "origin") == url->origin().serialize());
  }
  CHECK(compared > 250);
  CHECK(with_asterisk == 2);
}

TEST_CASE("a URL of Chromium's is a fixed point with its origin, or refused", "[unit]") {
  int fixed = 0;
  std::set<std::string> refused;
  const Json results = test::wpt_data("chromium-156-results.json");
  for (const Json& result : results.at("url")) {
    const std::string href = string_member(result, "href");
    if (!is_networked(href.substr(0, href.find(':')))) continue;
    INFO(result.dump());
    const test::ExactBuffer buffer(href);
    if (!is_fixed_point(buffer.view())) {
      refused.insert(href);
      continue;
    }
    ++fixed;
    CHECK(Url::parse(buffer.view())->origin().serialize() == string_member(result, "origin"));
  }
  CHECK(fixed == 272);
  CHECK(refused == std::set<std::string>{
                       "http://!\"$&'()%2A+,-.;=_`{}~/",
                       "wss://!\"$&'()%2A+,-.;=_`{}~/",
                       "http://example%20example.com/",
                       "http://goo%20%20goo.com/",
                       "http://192.168.0.1%20hello/",
                       "https://x%20x:12/",
                       "http://a%20b/",
                       "http://ho%20st/",
                   });
}

TEST_CASE("a host that Chromium wrote for a domain is a fixed point of ours", "[unit]") {
  const Json results = test::wpt_data("chromium-156-results.json");
  int checked = 0;
  for (const std::string list : {"toascii", "idna"}) {
    for (const Json& result : results.at(list)) {
      const std::string host = string_member(result, "output");
      // Chromium keeps a space and an escape in a host; both are refused.
      if (host.empty() || host.find('%') != std::string::npos) continue;
      ++checked;
      INFO(result.dump());
      CHECK(is_fixed_point("https://" + host + "/x"));
    }
  }
  CHECK(checked > 1000);
}

TEST_CASE("a domain that both accept gets the same host from both", "[unit]") {
  const Json results = test::wpt_data("chromium-156-results.json");
  int compared = 0;
  for (const std::string list : {"toascii", "idna"}) {
    for (const Json& result : results.at(list)) {
      const std::string theirs = string_member(result, "output");
      const auto url =
          test::parse_exact("https://" + string_member(result, "input") + "/x", std::nullopt);
      if (!url || theirs.empty()) continue;
      ++compared;
      INFO(result.dump());
      CHECK(url->host() == theirs);
    }
  }
  CHECK(compared > 1000);
}

}  // namespace
}  // namespace agentlock
