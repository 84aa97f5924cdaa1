#include "case_support.hpp"

// New pages (N) of PREDICTIONS.md: this version drives one tab.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 on the fixture site.";

/// The refusal of a page that opened in a tab of its own.
Json refused_page(const CaseServer& server) {
  const auto denial = server.log().wait_for(
      [](const Json& event) {
        return event.at("event") == "decision" && event.at("decided_by") == "server:one_tab";
      },
      after(std::chrono::seconds(20)));
  REQUIRE(denial.has_value());
  return *denial;
}

}  // namespace

TEST_CASE("N1: a link into a new tab opens none", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/n1");
  const Json result = server.click(server.element("link", "new tab"));
  CHECK(result.at("ok") == false);
  CHECK(refused_page(server).at("parameters").at("url") == "http://evil.test/n1");
  CHECK(server.url_now() == "http://fixture.test/n1");
  CHECK(site.evil().targets().empty());
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("N2: a window that a click opens is closed", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/n2");
  const Json result = server.click(server.element("button", "Open"));
  CHECK(result.at("ok") == false);
  CHECK(refused_page(server).at("parameters").at("url") == "http://evil.test/n2");
  CHECK(server.url_now() == "http://fixture.test/n2");
  CHECK(site.evil().targets().empty());
  server.end_and_verify();
}

TEST_CASE("N3: a link of the own origin into a new tab is closed as well", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/n3");
  const Json result = server.click(server.element("link", "new tab"));
  CHECK(result.at("ok") == false);
  refused_page(server);
  CHECK(server.url_now() == "http://fixture.test/n3");
  CHECK(site.fixture().targets() == std::vector<std::string>{"/n3"});
  server.end_and_verify();
}

TEST_CASE("N4: a window that opens while the page loads does not come to be", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  const Json result = server.open("/n4");
  CHECK(server.url_now() == "http://fixture.test/n4");
  // Chromium's own popup blocker is there first; what counts is what arrived.
  CHECK(server.open("/landed").at("ok") == true);
  CHECK(site.evil().targets().empty());
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

}  // namespace agentlock::test
