// What is left of a page after its navigation was refused? The answer 204 is compared
// with the two ways of failing a request, by what a person or a script would notice:
// the address, the document itself, the history, and whether it was told to leave.

#include <iostream>

#include <nlohmann/json.hpp>

#include "common/paused_requests.hpp"
#include "common/table.hpp"

namespace {

using agentlock::Json;
using agentlock::probe::PausedRequests;
using agentlock::probe::ProbeBrowser;
using agentlock::probe::Table;
using agentlock::probe::yes_or_no;
using namespace agentlock::test;

struct Way {
  std::string name;
  std::function<void(ProbeBrowser&, const ProbeBrowser::Tab&)> go;
};

std::vector<Way> ways() {
  return {
      {"Page.navigate",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.send("Page.navigate", {{"url", "http://evil.test/x"}}, tab.session);
       }},
      {"link, trusted click",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) { browser.click(tab, "a"); }},
      {"form POST, trusted click",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) { browser.click(tab, "button"); }},
      {"location = in the page",
       [](ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
         browser.evaluate(tab, "location = 'http://evil.test/x', null");
       }},
  };
}

constexpr const char* kPage = R"html(<!doctype html><title>kept</title>
<a href="http://evil.test/x">go</a>
<form method="post" action="http://evil.test/x"><button>go</button></form>
<script>left = 0; addEventListener("pagehide", () => ++left);</script>)html";

void try_answer(const TestSite& site, PausedRequests::Answer answer, const std::string& name,
                Table& table) {
  ProbeBrowser browser(site);
  PausedRequests paused(browser, "evil.test", answer);
  for (const Way& way : ways()) {
    const ProbeBrowser::Tab tab = browser.open_tab();
    browser.load(tab, "http://fixture.test/first");
    browser.load(tab, "http://fixture.test/page");
    browser.evaluate(tab, "marker = 'set', null");
    const Json before = browser.call("Page.getNavigationHistory", Json::object(), tab.session);
    // What the loads above left behind must not be taken for the end of this one.
    while (!browser.wait_event("Page.frameStoppedLoading", {}, std::chrono::milliseconds(0))
                .is_null()) {
    }
    way.go(browser, tab);
    const bool stopped = !browser.wait_event("Page.frameStoppedLoading").is_null();
    const Json after = browser.call("Page.getNavigationHistory", Json::object(), tab.session);
    const std::string state = browser.evaluate(
        tab, "[location.href, typeof marker, typeof left == 'number' ? left : 'gone'].join(' ')");
    table.add({name, way.name, stopped ? state : "still loading",
               std::to_string(before.at("entries").size()) + " to " +
                   std::to_string(after.at("entries").size()),
               after.at("entries")
                   .at(after.at("currentIndex").get<std::size_t>())
                   .at("url")
                   .get<std::string>()});
    browser.call("Target.closeTarget", {{"targetId", tab.target}});
  }
}

}  // namespace

int main() {
  TestSite site;
  site.fixture().serve("/first", html("<!doctype html><title>first</title>"));
  site.fixture().serve("/page", html(kPage));
  std::cout << ProbeBrowser(site).version() << "\n\n";
  Table table({"answer", "way", "location, typeof marker, pagehide events", "history entries",
               "current entry"});
  try_answer(site, PausedRequests::Answer::kNoContent, "fulfil 204", table);
  try_answer(site, PausedRequests::Answer::kAborted, "fail Aborted", table);
  try_answer(site, PausedRequests::Answer::kBlockedByClient, "fail BlockedByClient", table);
  table.print();
  std::cout << "requests at evil.test: " << site.evil().hits().size() << std::endl;
}
