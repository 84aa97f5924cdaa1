#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "agentlock/gate.hpp"
#include "agentlock/ledger.hpp"

namespace agentlock {
namespace {

Origin origin(std::string_view text) { return *Origin::parse_entry(text); }

/// A gate with https://listed.test on its allowlist.
struct World {
  World() { ledger.record_allowlist(origin("https://listed.test"), "allowlist"); }

  Verdict hop(const Hop& one) const { return Gate(policy, ledger).hop(one); }

  Ledger ledger;
  Policy policy;
};

Hop from_to(std::string_view from, std::string_view target) {
  return {.from = from == "null" ? Origin::opaque() : origin(from), .target = *Url::parse(target)};
}

Hop redirect(std::string_view from, std::string_view target) {
  Hop hop = from_to(from, target);
  hop.redirect = true;
  return hop;
}

Hop began_by_operator(std::string_view from, std::string_view target) {
  Hop hop = redirect(from, target);
  hop.operator_began = true;
  hop.tab_channel = Channel::kUser;
  return hop;
}

void check_refused(const Verdict& verdict, const Hop& hop) {
  CHECK_FALSE(verdict.allowed());
  CHECK(verdict.reason == "param_lineage");
  CHECK(verdict.channel == Channel::kPage);
  CHECK((hop.from.is_opaque() ? verdict.origin && verdict.origin->is_opaque()
                              : verdict.origin == hop.from));
  CHECK(verdict.decided_by == DecidedBy::kGate);
  CHECK_FALSE(verdict.detail.empty());
}

TEST_CASE("a page of a named origin may lead to the allowlist", "[unit]") {
  const World w;
  for (const Channel channel : {Channel::kUser, Channel::kAllowlist}) {
    Hop hop = from_to("https://named.test", "https://listed.test/x");
    hop.tab_channel = channel;
    const Verdict verdict = w.hop(hop);
    CHECK(verdict.allowed());
    CHECK(verdict.channel == Channel::kAllowlist);
    CHECK(verdict.cause.empty());
  }
  CHECK(w.hop(from_to("https://listed.test", "https://listed.test/x")).allowed());
}

TEST_CASE("a page of an unnamed origin may not lead to the allowlist by itself", "[unit]") {
  const World w;
  for (const Channel channel :
       {Channel::kModel, Channel::kPage, Channel::kUserConfirmed, Channel::kUnclassified}) {
    Hop hop = from_to("https://unnamed.test", "https://listed.test/x");
    hop.tab_channel = channel;
    INFO(to_string(channel));
    check_refused(w.hop(hop), hop);
    // A redirect of an allowed navigation may.
    hop.redirect = true;
    CHECK(w.hop(hop).allowed());
  }
}

TEST_CASE("an origin that only the operator's text names is no target for a page", "[unit]") {
  World w;
  w.ledger.record_operator("open https://named.test/ and https://other.test/", "operator_text");
  for (Hop hop : {from_to("https://listed.test", "https://named.test/"),
                  began_by_operator("https://other.test", "https://named.test/")}) {
    check_refused(w.hop(hop), hop);
    CHECK(w.hop(hop).askable);
  }
}

TEST_CASE("a form is never sent to another origin, and nobody is asked about it", "[unit]") {
  const World w;
  for (Hop hop : {from_to("https://listed.test", "https://listed.test/x"),
                  began_by_operator("https://named.test", "https://listed.test/x"),
                  began_by_operator("http://named.test", "https://named.test/"),
                  began_by_operator("https://named.test", "https://www.named.test/")}) {
    INFO(hop.target.href());
    CHECK(w.hop(hop).allowed());
    hop.get = false;
    const Verdict verdict = w.hop(hop);
    check_refused(verdict, hop);
    CHECK_FALSE(verdict.askable);
  }
}

TEST_CASE("http becomes https on the same host and default ports, and nothing else does",
          "[unit]") {
  const World w;
  Hop upgrade = from_to("http://named.test", "https://named.test/path");
  upgrade.tab_channel = Channel::kUser;
  const Verdict verdict = w.hop(upgrade);
  CHECK(verdict.allowed());
  CHECK(verdict.cause == "upgrade");
  CHECK(verdict.channel == Channel::kUser);  // still what let the tab come here
  CHECK(w.hop(from_to("http://named.test", "https://named.test:443/")).allowed());

  for (const Hop& hop : {from_to("https://named.test", "http://named.test/"),  // a downgrade
                         from_to("http://named.test:8080", "https://named.test/"),
                         from_to("http://named.test", "https://named.test:8443/"),
                         from_to("http://named.test:8080", "https://named.test:8080/"),
                         from_to("http://named.test", "https://named.test./"),
                         from_to("http://named.test", "https://sub.named.test/"),
                         from_to("http://named.test", "https://named.test.evil.test/"),
                         from_to("http://named.test", "http://named.test:81/"),
                         from_to("http://named.test", "ws://named.test/"),
                         from_to("http://named.test", "ftp://named.test/")}) {
    INFO(hop.from.serialize() << " to " << hop.target.href());
    check_refused(w.hop(hop), hop);
  }
}

TEST_CASE("www. comes and goes in a redirect that the operator began", "[unit]") {
  const World w;
  for (const Hop& hop :
       {began_by_operator("https://named.test", "https://www.named.test/"),
        began_by_operator("https://www.named.test", "https://named.test/"),
        began_by_operator("http://named.test", "http://www.named.test/"),
        began_by_operator("http://named.test", "https://www.named.test/"),
        began_by_operator("http://www.named.test", "https://named.test/"),
        began_by_operator("https://named.test:8443", "https://www.named.test:8443/")}) {
    INFO(hop.from.serialize() << " to " << hop.target.href());
    const Verdict verdict = w.hop(hop);
    CHECK(verdict.allowed());
    CHECK(verdict.cause == "www");
    CHECK(verdict.channel == Channel::kUser);
  }
  for (const Hop& hop :
       {began_by_operator("https://named.test", "http://www.named.test/"),  // a downgrade
        began_by_operator("https://named.test", "https://www.named.test:8443/"),
        began_by_operator("http://named.test:8080", "https://www.named.test/"),
        began_by_operator("https://named.test", "https://www2.named.test/"),
        began_by_operator("https://named.test", "https://wwwnamed.test/"),
        began_by_operator("https://named.test", "https://www.www.named.test/"),
        began_by_operator("https://named.test", "https://www.named.test.evil.test/"),
        began_by_operator("https://www.named.test", "https://evil.test/")}) {
    INFO(hop.from.serialize() << " to " << hop.target.href());
    check_refused(w.hop(hop), hop);
  }
}

TEST_CASE("www. does not come and go for a page, nor where the allowlist began", "[unit]") {
  const World w;
  Hop by_page = began_by_operator("https://named.test", "https://www.named.test/");
  by_page.redirect = false;
  check_refused(w.hop(by_page), by_page);
  const Hop not_operator = redirect("https://named.test", "https://www.named.test/");
  check_refused(w.hop(not_operator), not_operator);
}

TEST_CASE("the strict policy lets a page cause no change of origin at all", "[unit]") {
  World w;
  w.policy.hop_policy = HopPolicy::kStrict;
  for (const Hop& hop : {began_by_operator("https://listed.test", "https://listed.test/"),
                         began_by_operator("http://named.test", "https://named.test/"),
                         began_by_operator("https://named.test", "https://www.named.test/")}) {
    INFO(hop.target.href());
    const Verdict verdict = w.hop(hop);
    check_refused(verdict, hop);
    CHECK(verdict.askable);
  }
}

TEST_CASE("an opaque origin is neither a named page nor a target", "[unit]") {
  const World w;
  for (const Hop& hop :
       {from_to("null", "https://listed.test/"), from_to("null", "https://a.test/"),
        from_to("https://listed.test", "data:text/html,x"),
        from_to("https://listed.test", "about:blank"),
        began_by_operator("null", "data:text/html,x")}) {
    INFO(hop.target.href());
    check_refused(w.hop(hop), hop);
  }
}

}  // namespace
}  // namespace agentlock
