#include "tools/top_level.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "agentlock/disclosure.hpp"
#include "tools/gate_block.hpp"
#include "unit/base/captured_stderr.hpp"
#include "unit/browser/model_chromium.hpp"
#include "unit/tools/model_session.hpp"

namespace agentlock::tools {
namespace {

using browser::DocumentRequest;
using browser::Ruling;

Url url(std::string_view text) { return *Url::parse(text); }
Origin origin(std::string_view text) { return *Origin::parse_entry(text); }

/// A judge over a tab of a model Chromium, with https://listed.test on the allowlist.
struct World {
  explicit World(std::size_t ledger_bytes = 100'000) : ledger(ledger_bytes) {
    recorder.record_allowlist(origin("https://listed.test"));
    top_level.watch(tab.tab.get());
    top_level.begin_call(false);
  }

  /// What was refused during the call so far.
  std::vector<Decided>& blocked() {
    for (Decided& one : top_level.take_blocked()) refused.push_back(std::move(one));
    return refused;
  }

  Ruling rule(std::string_view target, std::string_view navigation = "N1", bool redirect = false,
              std::string_view method = "GET") {
    return top_level.rule({.tab = tab.tab->target(),
                           .url = std::string(target),
                           .method = std::string(method),
                           .navigation = std::string(navigation),
                           .redirect = redirect});
  }
  /// A tool may open `target`, and does.
  void open(std::string_view target, Channel channel = Channel::kUser) {
    top_level.grant(url(target), channel);
    REQUIRE(rule(target, "open") == Ruling::kContinue);
    tab.commit(target);
  }
  Json decision(std::size_t at = 0) const { return session.lines("decision").at(at); }
  std::size_t decisions() const { return session.lines("decision").size(); }

  agentlock::test::CapturedStderr captured;
  browser::test::ModelTab tab;
  test::ModelSession session;
  Ledger ledger;
  Policy policy;
  Gate gate{policy, ledger};
  Recorder recorder{session.setup(), ledger};
  TopLevel top_level{gate, recorder};
  std::vector<Decided> refused;
};

TEST_CASE("where a tool was allowed to go is reached without another decision", "[unit]") {
  World w;
  w.top_level.grant(url("https://a.test/x"), Channel::kUser);
  CHECK(w.rule("https://a.test/x") == Ruling::kContinue);
  w.tab.commit("https://a.test/x");
  CHECK(w.top_level.reached(origin("https://a.test")));
  // And the page moves within its own site as it likes, in any way.
  CHECK(w.rule("https://a.test/y", "N2") == Ruling::kContinue);
  CHECK(w.rule("https://a.test/z", "N3", false, "POST") == Ruling::kContinue);
  CHECK(w.decisions() == 0);
  CHECK(w.blocked().empty());
}

TEST_CASE("without a grant nothing is opened, not even by a page of the same site", "[unit]") {
  World w;
  CHECK(w.rule("https://a.test/") == Ruling::kRefuse);
  w.tab.commit("https://a.test/");  // the tab came there, but by no allowed navigation
  CHECK(w.rule("https://a.test/y", "N2") == Ruling::kRefuse);
  CHECK_FALSE(w.top_level.reached(origin("https://a.test")));
}

TEST_CASE("a document of another tab, or of none, is refused", "[unit]") {
  World w;
  w.top_level.grant(url("https://a.test/"), Channel::kUser);
  const DocumentRequest foreign{.tab = cdp::TargetId("OTHER"),
                                .url = "https://a.test/",
                                .method = "GET",
                                .navigation = "N1",
                                .redirect = false};
  CHECK(w.top_level.rule(foreign) == Ruling::kRefuse);
  w.top_level.watch(nullptr);
  CHECK(w.rule("https://a.test/") == Ruling::kRefuse);
}

TEST_CASE("a page that leaves its site is refused, and told of with where it wanted to go",
          "[unit]") {
  World w;
  w.open("https://a.test/");
  CHECK(w.rule("http://evil.test/q?data=secret#x") == Ruling::kRefuse);
  REQUIRE(w.blocked().size() == 1);
  const Decided& blocked = w.blocked()[0];
  CHECK_FALSE(blocked.allowed());
  CHECK(blocked.verdict.channel == Channel::kPage);
  CHECK(blocked.verdict.origin == origin("https://a.test"));
  CHECK(blocked.confirmation == "unavailable");
  const auto shown = disclose(gate_block(blocked), w.ledger, "click");
  REQUIRE(shown);
  CHECK(shown->json["target"] == "http://evil.test/q?data=secret#x");
  const Json line = w.decision();
  CHECK(line["action"] == "browser.navigate");
  CHECK(line["parameters"].dump() == R"({"url":"http://evil.test/q?data=secret#x"})");
  CHECK(line["origin"] == "https://a.test");
}

TEST_CASE("the target is recorded as the page's before it is decided on", "[unit]") {
  World w;
  w.open("https://a.test/");
  w.rule("http://evil.test/q");
  CHECK(w.session.events() == "session_start provenance provenance decision ");
  const Json line = w.session.lines("provenance").at(1);
  CHECK(line["channel"] == "PAGE");
  CHECK(line["origin"] == "https://a.test");
  CHECK(line["source"] == "navigation");
  // The model can't now open it as its own idea.
  const Verdict verdict = w.gate.navigate("http://evil.test/q").verdict;
  CHECK_FALSE(verdict.allowed());
  CHECK(verdict.channel == Channel::kPage);
}

TEST_CASE("a page of a named origin reaches the allowlist, and the log has the decision",
          "[unit]") {
  World w;
  w.open("https://a.test/");
  CHECK(w.rule("https://listed.test/x") == Ruling::kContinue);
  CHECK(w.decision()["decision"] == "allow");
  CHECK(w.decision()["channel"] == "ALLOWLIST");
  CHECK(w.blocked().empty());
  w.tab.commit("https://listed.test/x");
  CHECK(w.rule("https://listed.test/y", "N2") == Ruling::kContinue);
  CHECK(w.decisions() == 1);
  // There is no way back to the origin that only the operator named.
  CHECK(w.rule("https://a.test/", "N3") == Ruling::kRefuse);
}

TEST_CASE("a form is not sent to another origin", "[unit]") {
  World w;
  w.open("https://a.test/");
  CHECK(w.rule("https://listed.test/x", "N1", false, "POST") == Ruling::kRefuse);
  REQUIRE(w.blocked().size() == 1);
  CHECK_FALSE(w.blocked()[0].verdict.askable);
  CHECK(w.blocked()[0].confirmation.empty());
}

TEST_CASE("a grant covers its origin until another document is there", "[unit]") {
  World w;
  w.open("https://a.test/");
  w.top_level.grant(url("https://b.test/"), Channel::kUser);
  SECTION("it is used") {
    CHECK(w.rule("https://b.test/other") == Ruling::kContinue);
    CHECK(w.rule("https://b.test:8443/") == Ruling::kRefuse);
    CHECK(w.rule("http://b.test/") == Ruling::kRefuse);
  }
  SECTION("it is withdrawn") {
    w.top_level.withdraw();
    CHECK(w.rule("https://b.test/") == Ruling::kRefuse);
  }
  SECTION("the page reloaded itself meanwhile") {
    w.tab.commit("https://a.test/again");
    CHECK(w.rule("https://b.test/") == Ruling::kRefuse);
  }
  SECTION("the tab is another one") {
    w.top_level.watch(nullptr);
    w.top_level.watch(w.tab.tab.get());
    CHECK(w.rule("https://b.test/") == Ruling::kRefuse);
  }
}

TEST_CASE("each hop of a redirect is judged as the server's that sent it", "[unit]") {
  World w;
  w.top_level.grant(url("http://a.test/start"), Channel::kUser);
  REQUIRE(w.rule("http://a.test/start", "N1") == Ruling::kContinue);
  REQUIRE(w.rule("http://a.test/second", "N1", true) == Ruling::kContinue);
  SECTION("to an origin that nobody named") {
    CHECK(w.rule("http://evil.test/", "N1", true) == Ruling::kRefuse);
    CHECK(w.blocked().at(0).verdict.origin == origin("http://a.test"));
  }
  SECTION("http to https, then www., then on to the allowlist, then astray") {
    CHECK(w.rule("https://a.test/", "N1", true) == Ruling::kContinue);
    CHECK(w.rule("https://www.a.test/", "N1", true) == Ruling::kContinue);
    CHECK(w.rule("https://listed.test/", "N1", true) == Ruling::kContinue);
    CHECK(w.rule("https://evil.test/", "N1", true) == Ruling::kRefuse);
    REQUIRE(w.decisions() == 4);
    CHECK(w.decision(0)["cause"] == "upgrade");
    CHECK(w.decision(0)["channel"] == "USER");
    CHECK(w.decision(1)["cause"] == "www");
    CHECK(w.decision(2)["channel"] == "ALLOWLIST");
    CHECK(w.decision(3)["origin"] == "https://listed.test");
  }
  SECTION("a downgrade") {
    REQUIRE(w.rule("https://a.test/", "N1", true) == Ruling::kContinue);
    CHECK(w.rule("http://a.test/", "N1", true) == Ruling::kRefuse);
  }
}

TEST_CASE("www. is only for a chain that began with the very URL that the operator gave",
          "[unit]") {
  World w;
  SECTION("the operator's URL") {
    w.top_level.grant(url("https://a.test/start"), Channel::kUser);
    REQUIRE(w.rule("https://a.test/start", "N1") == Ruling::kContinue);
    CHECK(w.rule("https://www.a.test/", "N1", true) == Ruling::kContinue);
  }
  SECTION("the operator's URL, as Chromium writes it") {
    w.top_level.grant(url("https://a.test/start|x?y|z"), Channel::kUser);
    REQUIRE(w.rule("https://a.test/start%7Cx?y|z", "N1") == Ruling::kContinue);
    CHECK(w.rule("https://www.a.test/", "N1", true) == Ruling::kContinue);
  }
  SECTION("a URL of the page's under the same grant") {
    w.top_level.grant(url("https://a.test/start"), Channel::kUser);
    REQUIRE(w.rule("https://a.test/mine", "N1") == Ruling::kContinue);
    CHECK(w.rule("https://www.a.test/", "N1", true) == Ruling::kRefuse);
  }
  SECTION("a URL that the allowlist cleared") {
    w.top_level.grant(url("https://listed.test/start"), Channel::kAllowlist);
    REQUIRE(w.rule("https://listed.test/start", "N1") == Ruling::kContinue);
    CHECK(w.rule("https://www.listed.test/", "N1", true) == Ruling::kRefuse);
  }
  SECTION("no redirect at all") {
    w.open("https://a.test/start");
    CHECK(w.rule("https://www.a.test/", "N1") == Ruling::kRefuse);
  }
}

TEST_CASE("a redirect of a navigation that nobody allowed is the page's own doing", "[unit]") {
  World w;
  // It came there as something that neither the operator nor the allowlist named.
  w.open("https://a.test/", Channel::kUnclassified);
  CHECK(w.rule("https://listed.test/", "UNKNOWN", true) == Ruling::kRefuse);
  CHECK(w.blocked().at(0).verdict.origin == origin("https://a.test"));
}

TEST_CASE("what Chromium and we read differently, or can't be opened, is refused as a URL",
          "[unit]") {
  World w;
  w.open("https://listed.test/", Channel::kAllowlist);
  for (const char* target :
       {"https://LISTED.test/", "https://listed.test", "https://listed.test:443/",
        "https://listed.test/a b", "https://user:pass@listed.test/", "javascript:alert(1)",
        "data:text/html,x", "about:blank", "file:///etc/passwd", "chrome://settings/", "",
        "nonsense"}) {
    INFO(target);
    CHECK(w.rule(target) == Ruling::kRefuse);
    CHECK(w.blocked().back().verdict.decided_by == DecidedBy::kUrl);
    CHECK(w.session.lines("decision").back()["decided_by"] == "server:url");
  }
  CHECK(w.rule("https://listed.test/") == Ruling::kContinue);
}

TEST_CASE("what is refused while no call runs is logged and told to nobody", "[unit]") {
  World w;
  w.open("https://a.test/");
  w.rule("http://evil.test/1");
  CHECK(w.top_level.take_blocked().size() == 1);
  w.top_level.end_call();
  CHECK(w.rule("http://evil.test/2") == Ruling::kRefuse);
  CHECK(w.decisions() == 2);
  w.top_level.begin_call(false);
  CHECK(w.top_level.take_blocked().empty());
}

TEST_CASE("a page that tries without end is refused each time and told of in bounds", "[unit]") {
  World w;
  w.open("https://a.test/");
  for (int i = 0; i < 300; ++i) {
    CHECK(w.rule("http://evil.test/" + std::to_string(i), "N" + std::to_string(i)) ==
          Ruling::kRefuse);
  }
  CHECK(w.blocked().size() == 50);
  CHECK(w.decisions() == 300);
}

TEST_CASE("what can't be written down is not done", "[unit]") {
  World w;
  w.open("https://a.test/");
  w.session.disk.fail_at = w.session.disk.steps;
  CHECK(w.rule("https://listed.test/") == Ruling::kRefuse);
  REQUIRE(w.blocked().size() == 1);
  CHECK(w.blocked()[0].verdict.decided_by == DecidedBy::kLog);
  // What needs no decision goes on.
  CHECK(w.rule("https://a.test/next", "N2") == Ruling::kContinue);
}

TEST_CASE("what can't be recorded is not opened", "[unit]") {
  World w(10);
  w.open("https://a.test/");
  CHECK(w.rule("https://listed.test/") == Ruling::kRefuse);
  REQUIRE(w.blocked().size() == 1);
  CHECK(w.blocked()[0].verdict.reason == "ledger_full");
}

TEST_CASE("another tab is told of as such, and its address is recorded as the page's", "[unit]") {
  World w;
  w.open("https://a.test/");
  w.top_level.new_page({cdp::TargetId("P"), w.tab.tab->target(), "https://listed.test/popup"});
  REQUIRE(w.blocked().size() == 1);
  const Verdict& verdict = w.blocked()[0].verdict;
  CHECK_FALSE(verdict.allowed());
  CHECK(to_string(verdict.decided_by) == "server:one_tab");
  CHECK(verdict.channel == Channel::kPage);
  CHECK(verdict.origin == origin("https://a.test"));
  CHECK_FALSE(verdict.askable);
  CHECK(w.session.lines("provenance").back()["source"] == "new_page");
  CHECK(w.decision()["href"] == "https://listed.test/popup");
  w.top_level.new_page({cdp::TargetId("Q"), {}, "nonsense"});
  CHECK(w.blocked().size() == 2);
  w.top_level.watch(nullptr);
  w.top_level.new_page({cdp::TargetId("R"), {}, ""});
  CHECK(w.blocked().size() == 3);
}

TEST_CASE("under the strict policy a page can't even upgrade itself", "[unit]") {
  World w;
  w.policy.hop_policy = HopPolicy::kStrict;
  const Gate strict(w.policy, w.ledger);
  TopLevel top_level(strict, w.recorder);
  top_level.watch(w.tab.tab.get());
  top_level.grant(url("http://a.test/"), Channel::kUser);
  const auto ask = [&](std::string target, bool redirect) {
    return top_level.rule({w.tab.tab->target(), std::move(target), "GET", "N1", redirect});
  };
  CHECK(ask("http://a.test/", false) == Ruling::kContinue);
  CHECK(ask("https://a.test/", true) == Ruling::kRefuse);
  CHECK(ask("https://listed.test/", true) == Ruling::kRefuse);
}

}  // namespace
}  // namespace agentlock::tools
