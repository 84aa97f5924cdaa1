// Which ways of opening a cross-site URL send the target's SameSite=Strict cookie? A
// browser withholds it from navigations that a page of another site begins, so that a
// page can't act as the user there. Page.navigate counts as the user's own typing.
// Each way is tried from a page of fixture.test, after target.test has set one cookie
// of each kind; what arrived is read from the target's own record.

#include <iostream>

#include <nlohmann/json.hpp>

#include "common/probe_browser.hpp"
#include "common/table.hpp"

namespace {

using agentlock::Json;
using agentlock::probe::ProbeBrowser;
using agentlock::probe::Table;
using agentlock::probe::yes_or_no;
using namespace agentlock::test;
using namespace std::chrono_literals;

constexpr const char* kHome = "https://fixture.test/";
const std::string kTarget = "https://evil.test/target";

struct Way {
  std::string name;
  std::function<void(ProbeBrowser&, const ProbeBrowser::Tab&)> go;
};

std::vector<Way> ways() {
  const std::string assign = "location.assign('" + kTarget + "'), null";
  const std::string anchor = "(() => { const a = document.createElement('a'); a.href = '" +
                             kTarget + "'; HTMLElement.prototype.click.call(a); return null; })()";
  return {
      {"Page.navigate",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.send("Page.navigate", {{"url", kTarget}}, tab.session);
       }},
      {"Page.navigate with a referrer and transitionType link",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.send("Page.navigate",
                      {{"url", kTarget}, {"referrer", kHome}, {"transitionType", "link"}},
                      tab.session);
       }},
      {"location.assign in the page's world",
       [assign](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.evaluate(tab, assign);
       }},
      {"location.assign in an isolated world",
       [assign](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.evaluate_isolated(tab, assign);
       }},
      {"click() on a detached anchor made in an isolated world",
       [anchor](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.evaluate_isolated(tab, anchor);
       }},
      {"trusted click on the page's anchor",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) { browser.click(tab, "a"); }},
      {"redirect (302) of a Page.navigate to the page's site",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.send("Page.navigate", {{"url", "https://fixture.test/hop"}}, tab.session);
       }},
  };
}

std::string header(const Hit& hit, const char* name) {
  const std::string* value = hit.header(name);
  return value == nullptr ? "none" : *value;
}

}  // namespace

int main() {
  TestSite site;
  OriginServer& fixture = site.at("https://fixture.test");
  OriginServer& target = site.at("https://evil.test");
  fixture.serve("/", html("<!doctype html><title>home</title><a href='" + kTarget + "'>go</a>"));
  fixture.serve("/hop", redirect(302, kTarget));
  target.serve("/set", html("<!doctype html><title>set</title>")
                           .with("Set-Cookie", "strict=1; Secure; SameSite=Strict")
                           .with("Set-Cookie", "lax=1; Secure; SameSite=Lax")
                           .with("Set-Cookie", "none=1; Secure; SameSite=None"));
  target.serve("/target", html("<!doctype html><title>target</title>"));

  ProbeBrowser browser(site);
  std::cout << browser.version() << "\n\n";
  Table table({"way", "Strict cookie sent", "Lax", "None", "Sec-Fetch-Site", "Referer"});
  std::size_t seen = 0;
  for (const Way& way : ways()) {
    const ProbeBrowser::Tab tab = browser.open_tab();
    browser.load(tab, "https://evil.test/set");
    browser.load(tab, kHome);
    way.go(browser, tab);
    std::size_t nth = 0;
    const auto hit =
        target.wait_for_hit([&](const Hit& one) { return one.path() == "/target" && ++nth > seen; },
                            agentlock::after(10s));
    if (!hit) {
      table.add({way.name, "did not arrive"});
    } else {
      const std::string cookies = header(*hit, "Cookie");
      table.add({way.name, yes_or_no(cookies.find("strict=") != std::string::npos),
                 yes_or_no(cookies.find("lax=") != std::string::npos),
                 yes_or_no(cookies.find("none=") != std::string::npos),
                 header(*hit, "Sec-Fetch-Site"), header(*hit, "Referer")});
    }
    browser.call("Target.closeTarget", {{"targetId", tab.target}});
    seen += hit ? 1 : 0;
  }
  table.print();
}
