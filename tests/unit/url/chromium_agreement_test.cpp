#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "support/url_deviations.hpp"
#include "unit/url/wpt_data.hpp"

// What Chromium 156 makes of the same inputs, recorded in a file. It decides where a
// navigation really goes, so of what we let through it must see the same origin.

namespace agentlock {
namespace {

using test::is_networked;
using test::UrlComparison;
using test::UrlReading;

UrlComparison compared(const std::string& input, const std::optional<std::string>& base,
                       std::optional<UrlReading> theirs) {
  const auto url = test::parse_exact(input, base);
  return {input, test::reading_of(url), url ? "" : url.error().message(), std::move(theirs)};
}

TEST_CASE("Chromium reads each of the 891 cases as we do, or a line says why not", "[unit]") {
  int judged = 0;
  std::set<std::string_view> named;
  const Json results = test::wpt_data("chromium-156-results.json");
  CHECK(results.at("url").size() == 891);
  for (const Json& result : results.at("url")) {
    std::optional<UrlReading> theirs;
    if (result.contains("href")) theirs = UrlReading{result.at("href"), result.at("origin")};
    const UrlComparison one = compared(result.at("input").get<std::string>(),
                                       test::optional_text(result, "base"), std::move(theirs));
    const bool networked = (one.ours && is_networked(one.ours->href)) ||
                           (one.theirs && is_networked(one.theirs->href));
    if (!networked) continue;
    ++judged;
    INFO(result.dump());
    CHECK(test::disagreement(one) == "");
    if (one.ours || !one.theirs) continue;
    if (const auto* line = covering(test::kOnlyChromiumAccepts, one)) named.insert(line->name);
  }
  CHECK(judged > 270);
  CHECK(named.size() == 4);
}

TEST_CASE("a domain that only Chromium takes is one that a line names", "[unit]") {
  const Json results = test::wpt_data("chromium-156-results.json");
  int only_theirs = 0;
  for (const std::string list : {"toascii", "idna"}) {
    for (const Json& result : results.at(list)) {
      const std::string host = string_member(result, "output");
      if (host.empty()) continue;
      const UrlComparison one =
          compared("https://" + string_member(result, "input") + "/x", std::nullopt,
                   UrlReading{"https://" + host + "/x", "https://" + host});
      if (one.ours) continue;
      ++only_theirs;
      INFO(result.dump() << " " << one.refusal);
      CHECK(covering(test::kOnlyChromiumAccepts, one) != nullptr);
    }
  }
  CHECK(only_theirs > 20);
}

TEST_CASE("a URL of Chromium's is a fixed point with its origin, or refused", "[unit]") {
  int fixed = 0;
  std::set<std::string> refused;
  const Json results = test::wpt_data("chromium-156-results.json");
  for (const Json& result : results.at("url")) {
    const std::string href = string_member(result, "href");
    if (!is_networked(href)) continue;
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
