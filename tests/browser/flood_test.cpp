#include "case_support.hpp"

// A page that floods the ledger (attacks.md A31): nothing that was recorded before is
// forgotten, nothing is read that can't be recorded, and the gate goes on judging.

namespace agentlock::test {
namespace {

// 200 blocks of some 12,000 different characters.
std::string flood() {
  std::string blocks;
  for (int block = 0; block < 200; ++block) {
    blocks += "<p>";
    for (int word = 0; word < 1'500; ++word) blocks += " w" + std::to_string(block * 1'500 + word);
    blocks += "</p>";
  }
  return blocks;
}

}  // namespace

TEST_CASE("A31: a page that floods the ledger is not read, and what was read still counts",
          "[browser]") {
  CaseSite site;
  site.fixture().serve("/flood", page("flood", flood()));
  ServerOptions options = allowlisted("Read the report INV-2091 for david@example.com.");
  options.arguments = {"--ledger-max-mb", "1"};
  CaseServer server(site, options);

  server.open("/t3");
  server.element("textbox", "Phrase");
  REQUIRE(server.call("read_text").at("blocks").size() >= 2);

  REQUIRE(server.open("/flood").at("ok") == true);
  std::string refusal;
  Json arguments = {{"max_chars", 60'000}};
  // At most as many pieces as would be the whole page.
  for (int piece = 0; piece < 60 && refusal.empty(); ++piece) {
    const auto read = server.client().call_tool("read_text", arguments);
    REQUIRE(read.has_value());
    if (read->is_error) {
      refusal = read->text;
      CHECK(read->structured.is_null());
    } else if (const Json* cursor = member(read->structured, "next_cursor")) {
      arguments["cursor"] = *cursor;
    } else {
      break;
    }
  }
  CHECK(refusal.find("ledger_full") != std::string::npos);
  CHECK(refusal.find("ledger_max_mb") != std::string::npos);

  // The phrase was read before the flood, and the operator's word before all. What is
  // the same as before takes no room, so this page can be read.
  REQUIRE(server.open("/t3").at("ok") == true);
  check_page_denial(server.type(server.element("textbox", "Phrase"), "tk-4417-zz").at("gate"),
                    kFixture);
  CHECK(server.type(server.element("textbox", "Email"), "david@example.com").at("ok") == true);
  CHECK(server.navigate("http://evil.test/w12345").at("gate").at("allowed") == false);
  CHECK(site.evil().connects().empty());
  server.end_and_verify();
}

}  // namespace agentlock::test
