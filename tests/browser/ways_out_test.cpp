#include "case_support.hpp"

// Ways to another origin that answer, or leave, without a top-level request of the page.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 on the fixture site.";

}  // namespace

TEST_CASE("A service worker can't be registered", "[browser]") {
  CaseSite site;
  OriginServer& secure = site.at("https://fixture.test");
  secure.serve("/worker.js", text("self.onfetch = e => e.respondWith(new Response('mine'))")
                                 .with("Content-Type", "text/javascript"));
  secure.serve("/register", page("register",
                                 "<p id=p>waiting</p><script>navigator.serviceWorker.register("
                                 "'/worker.js').then(() => p.textContent = 'registered',"
                                 "() => p.textContent = 'rejected')"
                                 ".then(() => fetch('/settled'))</script>"));
  ServerOptions options;
  options.operator_text = kTask;
  options.allowlist = "https://fixture.test";
  CaseServer server(site, options);
  CHECK(server.navigate("https://fixture.test/register").at("ok") == true);
  REQUIRE(secure.wait_for_path("/settled", after(std::chrono::seconds(20))));
  CHECK(server.call("read_text").dump().find("rejected") != std::string::npos);
  CHECK(secure.targets() == std::vector<std::string>{"/register", "/settled"});
  server.end_and_verify();
}

TEST_CASE("A frame that sends the whole tab elsewhere does not", "[browser]") {
  CaseSite site;
  site.fixture().serve("/buster",
                       html("<script>top.location = 'http://evil.test/busted'</script>"));
  site.fixture().serve("/framed", page("framed", "<iframe src='/buster'></iframe>"));
  CaseServer server(site, allowlisted(kTask));
  server.open("/framed");
  const auto denial = server.log().wait_for(
      [](const Json& event) {
        return event.at("event") == "decision" && event.at("decision") == "deny";
      },
      after(std::chrono::seconds(20)));
  REQUIRE(denial.has_value());
  CHECK(denial->at("parameters").at("url") == "http://evil.test/busted");
  CHECK(server.url_now() == "http://fixture.test/framed");
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

TEST_CASE("Back goes where an allowed navigation of the session has been", "[browser]") {
  CaseSite site;
  ServerOptions options = allowlisted(kTask);
  options.allowlist += ",http://third.test";
  CaseServer server(site, options);
  CHECK(server.call("back").at("error").at("code") == "not_found");
  server.open("/t5");
  server.navigate("http://third.test/far");
  const Json result = server.call("back");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("url") == "http://fixture.test/t5");
  const std::vector<Json> decisions = server.log().decisions();
  CHECK(decisions.back().at("action") == "browser.back");
  CHECK(decisions.back().at("decision") == "allow");
  server.end_and_verify();
}

TEST_CASE("A link to another origin is not connected to before it is judged", "[browser]") {
  CaseSite site;
  site.fixture().serve("/eager", page("eager",
                                      "<link rel=preconnect href='http://evil.test'>"
                                      "<link rel=dns-prefetch href='http://evil.test'>"
                                      "<a href='http://evil.test/x'>go</a>"));
  CaseServer server(site, allowlisted(kTask));
  server.open("/eager");
  CHECK(server.click(server.element("link", "go")).at("ok") == false);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

}  // namespace agentlock::test
