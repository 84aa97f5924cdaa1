// Can a new tab's first request be told to belong to a new tab? For each way in which a
// page opens one: was the tab announced before the request was paused, is the request's
// frame id the tab's target id, is the opener named, and does anything reach evil.test
// when the request is answered 204 and the tab closed?

#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "common/paused_requests.hpp"
#include "common/table.hpp"

namespace {

using agentlock::Json;
using agentlock::probe::host_of;
using agentlock::probe::PausedRequests;
using agentlock::probe::ProbeBrowser;
using agentlock::probe::Table;
using namespace agentlock::test;

constexpr int kRounds = 5;

struct Way {
  std::string name;
  std::string path;
  std::string content;
  int modifiers = 0;
};

const std::vector<Way> kWays = {
    {"window.open in a click", "/open",
     R"html(<a href="#" onclick="window.open('http://evil.test/x')">go</a>)html"},
    {"window.open with noopener", "/noopener",
     R"html(<a href="#" onclick="window.open('http://evil.test/x', '', 'noopener')">go</a>)html"},
    {"window.open, then its location", "/later",
     R"html(<a href="#" onclick="window.open().location = 'http://evil.test/x'">go</a>)html"},
    {"target=_blank", "/blank", R"html(<a href="http://evil.test/x" target="_blank">go</a>)html"},
    {"form with target=_blank", "/form",
     R"html(<form action="http://evil.test/x" target="_blank"><button>go</button></form>)html"},
    {"ctrl-click", "/ctrl", R"html(<a href="http://evil.test/x">go</a>)html", 2},
    {"shift-click", "/shift", R"html(<a href="http://evil.test/x">go</a>)html", 8},
};

std::string out_of(int count) { return std::to_string(count) + " of " + std::to_string(kRounds); }

}  // namespace

int main() {
  TestSite site;
  for (const Way& way : kWays) {
    site.fixture().serve(way.path, html("<!doctype html><title>t</title>" + way.content));
  }
  ProbeBrowser browser(site);
  PausedRequests paused(browser, "evil.test");
  std::cout << browser.version() << "\n\n";
  Table table({"way", "paused", "announced before, frameId = targetId", "openerId",
               "closed by Target.closeTarget", "connects at evil"});
  for (const Way& way : kWays) {
    int seen = 0;
    int announced = 0;
    int with_opener = 0;
    int closed = 0;
    for (int round = 0; round < kRounds; ++round) {
      const ProbeBrowser::Tab tab = browser.open_tab();
      browser.load(tab, "http://fixture.test" + way.path);
      paused.forget();
      browser.click(tab, way.content.find("<form") == std::string::npos ? "a" : "button",
                    way.modifiers);
      const Json pause = browser.wait_event("Fetch.requestPaused", [](const Json& params) {
        return host_of(params.at("request").at("url").get<std::string>()) == "evil.test";
      });
      if (pause.is_null()) continue;
      ++seen;
      const std::string frame = pause.at("frameId");
      for (const PausedRequests::Pause& one : paused.pauses()) {
        if (one.frame == frame && one.main_frame) ++announced;
      }
      const Json created = browser.wait_event("Target.targetCreated", [&](const Json& params) {
        return params.at("targetInfo").at("targetId") == frame;
      });
      if (!created.is_null() && created.at("targetInfo").contains("openerId")) ++with_opener;
      browser.call("Target.closeTarget", {{"targetId", frame}});
      const Json destroyed = browser.wait_event("Target.targetDestroyed", [&](const Json& params) {
        return params.at("targetId") == frame;
      });
      closed += destroyed.is_null() ? 0 : 1;
      browser.call("Target.closeTarget", {{"targetId", tab.target}});
    }
    table.add({way.name, out_of(seen), out_of(announced), out_of(with_opener), out_of(closed),
               std::to_string(site.evil().connects().size())});
  }
  table.print();
}
