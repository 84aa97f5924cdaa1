#include "case_support.hpp"

// Hops (H) of PREDICTIONS.md, under both policies.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 on the fixture site.";

ServerOptions with_policy(ServerOptions options, const std::string& policy) {
  options.hop_policy = policy;
  return options;
}

std::vector<Json> decisions_to(const CaseServer& server, const std::string& href) {
  std::vector<Json> found;
  for (const Json& decision : server.log().decisions()) {
    if (decision.value("href", "") == href) found.push_back(decision);
  }
  return found;
}

}  // namespace

TEST_CASE("H1: a redirect to a second allowlisted origin is one logged decision", "[browser]") {
  CaseSite site;
  ServerOptions options = allowlisted(kTask);
  options.allowlist += ",http://third.test";
  CaseServer server(site, options);
  const Json result = server.open("/h1");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "http://third.test/h1");
  const std::vector<Json> hops = decisions_to(server, "http://third.test/h1");
  REQUIRE(hops.size() == 1);
  CHECK(hops[0].at("decision") == "allow");
  CHECK(hops[0].at("channel") == "ALLOWLIST");
  CHECK(site.third().targets() == std::vector<std::string>{"/h1"});
  server.end_and_verify();
}

TEST_CASE("H2: http to https on one host is followed as an upgrade", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  const Json result = server.open("/h2");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "https://fixture.test/h2");
  const std::vector<Json> hops = decisions_to(server, "https://fixture.test/h2");
  REQUIRE(hops.size() == 1);
  CHECK(hops[0].at("cause") == "upgrade");
  server.end_and_verify();
}

TEST_CASE("H3: https to http on one host is refused", "[browser]") {
  CaseSite site;
  ServerOptions options;
  options.operator_text = kTask;
  options.allowlist = "https://fixture.test";
  CaseServer server(site, options);
  const Json result = server.navigate("https://fixture.test/h3");
  CHECK(result.at("ok") == false);
  REQUIRE(result.at("blocked").size() == 1);
  check_page_denial(result.at("blocked")[0], "https://fixture.test");
  CHECK(site.fixture().targets().empty());
  server.end_and_verify();
}

TEST_CASE("H4: apex to www is followed within what the operator began", "[browser]") {
  CaseSite site;
  ServerOptions options;
  options.operator_text = "open http://fixture.test/h4 for me";
  CaseServer server(site, options);
  const Json result = server.open("/h4");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "http://www.fixture.test/h4");
  const std::vector<Json> hops = decisions_to(server, "http://www.fixture.test/h4");
  REQUIRE(hops.size() == 1);
  CHECK(hops[0].at("cause") == "www");
  server.end_and_verify();
}

TEST_CASE("H4: the same change of host by a script later is refused", "[browser]") {
  CaseSite site;
  ServerOptions options;
  options.operator_text = "open http://fixture.test/h4-script for me";
  CaseServer server(site, options);
  CHECK(server.open("/h4-script").at("ok") == true);
  const Json result = server.click(server.element("button", "To the other name"));
  CHECK(result.at("ok") == false);
  REQUIRE(result.at("blocked").size() == 1);
  check_page_denial(result.at("blocked")[0], kFixture);
  CHECK(site.at("http://www.fixture.test").targets().empty());
  server.end_and_verify();
}

TEST_CASE("H5: a redirect is not cleared by the operator's own words", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted("Compare http://fixture.test/h5 with http://evil.test/h5."));
  const Json result = server.open("/h5");
  CHECK(result.at("ok") == false);
  REQUIRE(result.at("blocked").size() == 1);
  check_page_denial(result.at("blocked")[0], kFixture);
  CHECK(site.evil().targets().empty());
  server.end_and_verify();
}

TEST_CASE("H6: a form that is redirected elsewhere is refused and not asked about", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/h6");
  const Json result = server.click(server.element("button", "Send"));
  CHECK(result.at("ok") == false);
  REQUIRE(result.at("blocked").size() == 1);
  const Json& blocked = result.at("blocked")[0];
  CHECK(blocked.at("reason") == "param_lineage");
  CHECK(blocked.at("confirmation") == "");
  CHECK(blocked.at("detail").get<std::string>().find("can't be replayed") != std::string::npos);
  CHECK(site.evil().targets().empty());
  server.end_and_verify();
}

TEST_CASE("H7: under the strict policy no hop passes", "[browser]") {
  CaseSite site;
  SECTION("to a second allowlisted origin") {
    ServerOptions options = with_policy(allowlisted(kTask), "strict");
    options.allowlist += ",http://third.test";
    CaseServer server(site, options);
    CHECK(server.open("/h1").at("ok") == false);
    CHECK(site.third().targets().empty());
  }
  SECTION("to https") {
    CaseServer server(site, with_policy(allowlisted(kTask), "strict"));
    CHECK(server.open("/h2").at("ok") == false);
    CHECK(site.at("https://fixture.test").targets().empty());
  }
  SECTION("to http") {
    ServerOptions options = with_policy(allowlisted(kTask), "strict");
    options.allowlist = "https://fixture.test";
    CaseServer server(site, options);
    CHECK(server.navigate("https://fixture.test/h3").at("ok") == false);
    CHECK(site.fixture().targets().empty());
  }
  SECTION("to www") {
    ServerOptions options;
    options.operator_text = "open http://fixture.test/h4 for me";
    CaseServer server(site, with_policy(options, "strict"));
    CHECK(server.open("/h4").at("ok") == false);
    CHECK(site.at("http://www.fixture.test").targets().empty());
  }
  SECTION("to www by a script") {
    ServerOptions options;
    options.operator_text = "open http://fixture.test/h4-script for me";
    CaseServer server(site, with_policy(options, "strict"));
    server.open("/h4-script");
    CHECK(server.click(server.element("button", "To the other name")).at("ok") == false);
    CHECK(site.at("http://www.fixture.test").targets().empty());
  }
  SECTION("to where the operator's words point") {
    CaseServer server(
        site, with_policy(allowlisted("Compare http://fixture.test/h5 with http://evil.test/h5."),
                          "strict"));
    CHECK(server.open("/h5").at("ok") == false);
    CHECK(site.evil().targets().empty());
  }
  SECTION("by a form") {
    CaseServer server(site, with_policy(allowlisted(kTask), "strict"));
    server.open("/h6");
    CHECK(server.click(server.element("button", "Send")).at("ok") == false);
    CHECK(site.evil().targets().empty());
  }
}

}  // namespace agentlock::test
