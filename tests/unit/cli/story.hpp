#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "agentlock/gate.hpp"
#include "agentlock/ledger.hpp"
#include "tools/recorder.hpp"
#include "unit/agentlock/log_support.hpp"

namespace agentlock::test {

/// A session as the product writes it, by its own gate and recorder, without a browser:
/// what is read, asked and typed is what the test says.
class Story {
 public:
  struct Setting {
    std::string operator_text = "Read the report INV-2091 on http://fixture.test/ please.";
    SigningMethod method = SigningMethod::kEd25519;
    bool log_page_text = false;
    std::string session = new_session_id();
  };

  Story(std::filesystem::path log, const SigningKey& key, ModelClock& clock)
      : Story(std::move(log), key, clock, Setting()) {}
  Story(std::filesystem::path log, const SigningKey& key, ModelClock& clock, Setting setting)
      : clock_(clock),
        gate_(Policy{}, ledger_),
        recorder_(setup(std::move(log), key, clock, setting), ledger_) {
    recorder_.record_operator(setting.operator_text);
    recorder_.record_allowlist(*Origin::parse_entry("http://third.test"));
    recorder_.note("browser",
                   {{"version", "Chrome/156.0"}, {"sandboxed", true}, {"restarted", false}});
  }

  /// A tool reads this text off a page.
  void read(std::string text, const std::string& origin = "http://fixture.test",
            std::string element = "p1-e1", std::string_view tool = "snapshot") {
    Draft draft = Draft::object();
    draft.set("text", PageText(std::move(text), *Origin::parse_entry(origin), std::move(element)));
    REQUIRE(recorder_.hand_over(draft, tool));
    clock_.advance(0.25);
  }
  tools::Decided navigate(const std::string& url) {
    const Gate::Navigation navigation = gate_.navigate(url);
    const std::string href = navigation.target ? navigation.target->href() : "";
    clock_.advance(0.5);
    return recorder_.decide({"browser.navigate", "url", url, href}, navigation.verdict);
  }
  tools::Decided type(const std::string& value) {
    const Origin page = *Origin::parse_entry("http://fixture.test");
    clock_.advance(0.5);
    return recorder_.decide({"browser.type", "value", value, ""}, gate_.type(value, page, page));
  }
  /// Any event at all.
  void note(std::string_view event, const Json& fields) { recorder_.note(event, fields); }
  void end() { recorder_.end("end of input"); }

 private:
  static tools::Recorder::Setup setup(std::filesystem::path log, const SigningKey& key,
                                      ModelClock& clock, const Setting& setting) {
    Json start = ModelLog::start();
    start["config"] = {{"allowlist", {"http://third.test"}}, {"lineage_mode", "agentlock"}};
    DecisionLog::Setup writer{.path = std::move(log),
                              .heads = {},
                              .session = setting.session,
                              .key = &key,
                              .clock = &clock,
                              .sink = system_file_sink()};
    return {.log = std::make_unique<DecisionLog>(std::move(writer), start),
            .key = &key,
            .method = setting.method,
            .role = "operator",
            .policy_hash = std::string(64, 'a'),
            .log_page_text = setting.log_page_text};
  }

  ModelClock& clock_;
  Ledger ledger_;
  Gate gate_;
  tools::Recorder recorder_;
};

}  // namespace agentlock::test
