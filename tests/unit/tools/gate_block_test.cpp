#include "tools/gate_block.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "agentlock/disclosure.hpp"
#include "agentlock/ledger.hpp"

namespace agentlock::tools {
namespace {

const Origin kPage = *Origin::parse_entry("https://page.test");

Decided decided(Verdict verdict) {
  return {.verdict = std::move(verdict),
          .confirmation = "",
          .receipt_id = "rcpt_1",
          .audit_id = "audit_1",
          .target = std::nullopt};
}

/// The block as the client gets it; it fits its schema.
Json shown(const Decided& one, Ledger& ledger) {
  const auto disclosed = disclose(gate_block(one), ledger, "test");
  REQUIRE(disclosed);
  const Json schema = gate_block_schema();
  for (const auto& [name, value] : disclosed->json.items()) {
    INFO(name);
    REQUIRE(schema["properties"].contains(name));
    CHECK(schema["properties"][name]["type"] == (value.is_boolean() ? "boolean" : "string"));
  }
  for (const Json& name : schema["required"])
    CHECK(disclosed->json.contains(name.get<std::string>()));
  return disclosed->json;
}

TEST_CASE("an allow says no more than it must", "[unit]") {
  Ledger ledger;
  Verdict verdict;
  verdict.decision = Decision::kAllow;
  verdict.channel = Channel::kUser;
  verdict.basis = GrantBasis{"no_match", "no_match"};
  CHECK(shown(decided(verdict), ledger).dump() ==
        R"({"allowed":true,"decision":"allow","channel":"USER","decided_by":"agentlock_gate",)"
        R"("receipt_id":"rcpt_1"})");
}

TEST_CASE("an allow that nothing accounts for says so", "[unit]") {
  Ledger ledger;
  Verdict verdict;
  verdict.decision = Decision::kAllow;
  verdict.channel = Channel::kUnclassified;
  verdict.fail_open = true;
  Decided one = decided(verdict);
  one.confirmation = "unavailable";
  CHECK(shown(one, ledger).dump() ==
        R"({"allowed":true,"decision":"allow","channel":"UNCLASSIFIED",)"
        R"("decided_by":"agentlock_gate","confirmation":"unavailable","fail_open":true,)"
        R"("receipt_id":"rcpt_1"})");
}

TEST_CASE("a denial says why, from where and what to do, and its page text is recorded", "[unit]") {
  Ledger ledger;
  Verdict verdict;
  verdict.reason = "param_lineage";
  verdict.detail = "Do this instead.";
  verdict.channel = Channel::kPage;
  verdict.origin = kPage;
  Decided one = decided(verdict);
  one.confirmation = "unavailable";
  one.target = PageText("http://evil.test/q", kPage);
  CHECK(shown(one, ledger).dump() ==
        R"({"allowed":false,"decision":"deny","channel":"PAGE","decided_by":"agentlock_gate",)"
        R"("reason":"param_lineage","detail":"Do this instead.","origin":"https://page.test",)"
        R"("confirmation":"unavailable","target":"http://evil.test/q","receipt_id":"rcpt_1",)"
        R"("audit_id":"audit_1"})");
  REQUIRE(ledger.lineage().size() == 1);
  CHECK(ledger.lineage_entry(0).content == "https://page.test\nhttp://evil.test/q");
  CHECK(ledger.lineage_entry(0).origin == kPage);
}

TEST_CASE("a denial that could not be written down has no receipt", "[unit]") {
  Ledger ledger;
  Decided one = decided(refuse(DecidedBy::kLog, "log_unavailable", "why"));
  one.receipt_id = "";
  const Json block = shown(one, ledger);
  CHECK_FALSE(block.contains("receipt_id"));
  CHECK(block["decided_by"] == "server:log");
  CHECK(block["confirmation"] == "");
}

TEST_CASE("what passes without a channel's word says by which rule", "[unit]") {
  Ledger ledger;
  Verdict verdict;
  verdict.decision = Decision::kAllow;
  verdict.channel = Channel::kUser;
  verdict.cause = "upgrade";
  CHECK(shown(decided(verdict), ledger)["cause"] == "upgrade");
}

}  // namespace
}  // namespace agentlock::tools
