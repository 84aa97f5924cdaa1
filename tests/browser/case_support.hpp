#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/case_pages.hpp"
#include "support/server_under_test.hpp"
#include "support/test_site.hpp"

namespace agentlock::test {

inline constexpr const char* kFixture = "http://fixture.test";

/// The origins with the pages of the cases.
struct CaseSite : TestSite {
  CaseSite() { serve_case_pages(*this); }
};

/// A server that has shaken hands.
struct CaseServer : ServerUnderTest {
  CaseServer(const TestSite& site, const ServerOptions& options) : ServerUnderTest(site, options) {
    REQUIRE(client().handshake().has_value());
  }

  Json navigate(const std::string& url) { return call("navigate", {{"url", url}}); }
  Json open(const std::string& path) { return navigate(kFixture + path); }
  Json click(const std::string& id) { return call("click", {{"element_id", id}}); }
  Json type(const std::string& id, const std::string& value) {
    return call("type", {{"element_id", id}, {"value", value}});
  }

  /// The id of the element of the page that has this role and name.
  std::string element(std::string_view role, std::string_view name) {
    const Json snapshot = call("snapshot");
    for (const Json& element : snapshot.at("elements")) {
      if (element.at("role") == role && element.at("name") == name) return element.at("id");
    }
    FAIL("no " << role << " named " << name << " in " << snapshot.dump());
    return "";
  }

  /// Where the tab is, by a reading of its own.
  std::string url_now() { return call("snapshot").at("url"); }

  /// Ends the server and checks that its log proves itself.
  void end_and_verify() {
    client().close_stdin();
    const auto ended = client().wait_exit();
    REQUIRE(ended.has_value());
    CHECK(client().stray_lines().empty());
    const auto verified = verify();
    REQUIRE(verified.has_value());
    INFO(verified->output);
    CHECK(verified->status.code == 0);
  }
};

inline ServerOptions allowlisted(std::string operator_text) {
  ServerOptions options;
  options.operator_text = std::move(operator_text);
  options.allowlist = kFixture;
  return options;
}

/// A denial because a page of `origin` supplied the value.
inline void check_page_denial(const Json& gate, const std::string& origin) {
  INFO(gate.dump());
  CHECK(gate.at("allowed") == false);
  CHECK(gate.at("decision") == "deny");
  CHECK(gate.at("reason") == "param_lineage");
  CHECK(gate.at("channel") == "PAGE");
  CHECK(gate.at("origin") == origin);
  CHECK(gate.at("decided_by") == "agentlock_gate");
  CHECK(gate.at("confirmation") == "unavailable");
}

}  // namespace agentlock::test
