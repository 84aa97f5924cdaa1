#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "agentlock/gate.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/operator_prompt.hpp"

namespace agentlock::test {

/// A session as the closed modes see it: who said what, and what the gate decides.
struct GateWorld {
  explicit GateWorld(LineageMode mode = LineageMode::kClosed)
      : ledger(Ledger::kDefaultMaxPageBytes, mode), policy{.lineage_mode = mode} {}

  GateWorld& operator_says(std::string text,
                           std::optional<std::chrono::year_month_day> today = std::nullopt) {
    ledger.record_operator(std::move(text), "operator_text", today);
    return *this;
  }
  /// In the running session, through the operator channel.
  GateWorld& operator_prompts(std::string_view text) {
    using namespace std::chrono_literals;
    const auto prompt = read_operator_prompt(text);
    REQUIRE(prompt);
    REQUIRE(ledger.record_prompt(*prompt, "operator_channel:test", 2026y / 11 / 30));
    return *this;
  }
  GateWorld& page_says(std::string text, std::string_view from = "https://board.test") {
    REQUIRE(ledger.record_page(std::move(text), origin(from), "snapshot"));
    return *this;
  }
  GateWorld& allow(std::string_view entry) {
    ledger.record_allowlist(origin(entry), "allowlist");
    return *this;
  }

  Verdict navigate(std::string_view url) const {
    return Gate(policy, ledger).navigate(url).verdict;
  }
  Verdict type(std::string_view value, const std::vector<std::string>& earlier = {}) const {
    const Origin site = origin("https://board.test");
    return Gate(policy, ledger).type(value, site, site, earlier);
  }

  static Origin origin(std::string_view text) { return *Origin::parse_entry(text); }

  Ledger ledger;
  Policy policy;
};

/// The channel of a decision, and "denied" where it is one.
inline std::string outcome(const Verdict& verdict) {
  const std::string channel(to_string(verdict.channel));
  return verdict.allowed() ? channel : channel + " denied";
}

}  // namespace agentlock::test
