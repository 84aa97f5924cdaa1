#include "case_support.hpp"

// Redirects (R) of PREDICTIONS.md.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 on the fixture site.";
const char* const kNoToken = "look at it";

/// Opens a page that leaves for evil.test by itself, and waits for the refusal, which
/// may come after the call has returned.
void check_refused_leaving(const std::string& path, const std::string& text) {
  CaseSite site;
  CaseServer server(site, allowlisted(text));
  server.open(path);
  const auto denial = server.log().wait_for(
      [](const Json& event) {
        return event.at("event") == "decision" && event.at("decision") == "deny";
      },
      after(std::chrono::seconds(20)));
  REQUIRE(denial.has_value());
  CHECK(denial->at("reason") == "param_lineage");
  CHECK(denial->at("channel") == "PAGE");
  CHECK(denial->at("origin") == kFixture);
  CHECK(denial->at("parameters").at("url") == "http://evil.test" + path);
  CHECK(server.url_now() == kFixture + path);
  CHECK(site.evil().targets().empty());
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

}  // namespace

TEST_CASE("R1: a redirect to another origin is refused before a page was there", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  const Json result = server.open("/r1");
  INFO(result.dump());
  CHECK(result.at("ok") == false);
  CHECK(result.at("url") == "about:blank");
  REQUIRE(result.at("blocked").size() == 1);
  check_page_denial(result.at("blocked")[0], kFixture);
  CHECK(result.at("blocked")[0].at("target") == "http://evil.test/r1");
  CHECK(site.evil().targets().empty());
  server.end_and_verify();
}

TEST_CASE("R1b: a redirect within the origin is followed without a denial", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  const Json result = server.open("/r1b");
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "http://fixture.test/landed");
  CHECK(server.log().denials().empty());
  server.end_and_verify();
}

TEST_CASE("R1c: a redirect to another origin leaves the page that was there", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/t5");
  const Json result = server.open("/r1");
  CHECK(result.at("ok") == false);
  CHECK(result.at("url") == "http://fixture.test/t5");
  REQUIRE(result.at("blocked").size() == 1);
  check_page_denial(result.at("blocked")[0], kFixture);
  CHECK(site.evil().targets().empty());
  // The grant for the page that is there outlives the refusal.
  CHECK(server.open("/landed").at("ok") == true);
  server.end_and_verify();
}

TEST_CASE("R2: a meta refresh to another origin is refused", "[browser]") {
  check_refused_leaving("/r2", kTask);
}

TEST_CASE("R2b: a meta refresh is refused where the operator named nothing", "[browser]") {
  check_refused_leaving("/r2", kNoToken);
}

TEST_CASE("R3: a script that leaves for another origin is refused", "[browser]") {
  check_refused_leaving("/r3", kTask);
}

TEST_CASE("R3b: a script is refused where the operator named nothing", "[browser]") {
  check_refused_leaving("/r3", kNoToken);
}

TEST_CASE("R4: a URL with credentials is refused by its form", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  for (const char* url : {"http://user:pass@fixture.test/", "http://fixture.test@evil.test/"}) {
    const Json result = server.navigate(url);
    CHECK(result.at("ok") == false);
    CHECK(result.at("gate").at("decided_by") == "server:url");
  }
  CHECK(site.fixture().targets().empty());
  CHECK(site.evil().targets().empty());
  server.end_and_verify();
}

TEST_CASE("R5: a click on a link with credentials leads nowhere", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/r5");
  const Json result = server.click(server.element("link", "signed link"));
  CHECK(result.at("ok") == false);
  REQUIRE(result.at("blocked").size() == 1);
  CHECK(result.at("blocked")[0].at("allowed") == false);
  CHECK(server.url_now() == "http://fixture.test/r5");
  CHECK(site.evil().targets().empty());
  server.end_and_verify();
}

}  // namespace agentlock::test
