// Does the Fetch domain, enabled once on the browser's own session, pause every request
// for a top-level document before a byte of it leaves, however it came about? Each way
// from fixture.test to evil.test is tried twice: without Fetch, to see that it does
// reach evil.test, and with it, where evil.test's documents are answered 204.

#include <iostream>

#include <nlohmann/json.hpp>

#include "common/paused_requests.hpp"
#include "common/table.hpp"

namespace {

using agentlock::Json;
using agentlock::probe::host_of;
using agentlock::probe::PausedRequests;
using agentlock::probe::ProbeBrowser;
using agentlock::probe::Table;
using agentlock::probe::yes_or_no;
using namespace agentlock::test;
using namespace std::chrono_literals;

enum class Act { kNone, kClick, kControlClick };

struct Way {
  std::string name;
  std::string path;
  std::string content;
  Act act = Act::kClick;
};

const std::vector<Way> kWays = {
    {"link", "/link", R"html(<a href="http://evil.test/x">go</a>)html"},
    {"link, 302 over fixture, third, fixture to evil", "/chain",
     R"html(<a href="/hop1">go</a>)html"},
    {"form POST answered 307", "/post",
     R"html(<form method="post" action="/hop307"><button id="go">go</button></form>)html"},
    {"meta refresh", "/meta",
     R"html(<meta http-equiv="refresh" content="0;url=http://evil.test/x">)html", Act::kNone},
    {"script location", "/script", R"html(<script>location = "http://evil.test/x"</script>)html",
     Act::kNone},
    {"window.open in a click", "/open",
     R"html(<a href="#" onclick="window.open('http://evil.test/x')">go</a>)html"},
    {"target=_blank", "/blank", R"html(<a href="http://evil.test/x" target="_blank">go</a>)html"},
    {"ctrl-click", "/ctrl", R"html(<a href="http://evil.test/x">go</a>)html", Act::kControlClick},
    {"frame of another site, first load", "/frame",
     R"html(<iframe src="http://evil.test/x"></iframe>)html", Act::kNone},
    {"frame of another site that navigates itself", "/frame-moves",
     R"html(<iframe src="http://third.test/moves"></iframe>)html", Act::kNone},
    {"frame inside a frame of another site", "/frame-nested",
     R"html(<iframe src="http://third.test/nests"></iframe>)html", Act::kNone},
};

void serve(TestSite& site) {
  for (const Way& way : kWays) {
    site.fixture().serve(way.path, html("<!doctype html><title>t</title>" + way.content));
  }
  site.fixture().serve("/hop1", redirect(302, "http://third.test/hop2"));
  site.third().serve("/hop2", redirect(302, "http://fixture.test/hop3"));
  site.fixture().serve("/hop3", redirect(302, "http://evil.test/x"));
  site.fixture().serve("/hop307", redirect(307, "http://evil.test/x"));
  site.third().serve("/moves", html("<script>location = 'http://evil.test/x'</script>"));
  site.third().serve("/nests", html("<iframe src='http://evil.test/x'></iframe>"));
  site.evil().serve_below("/", [](const Request&) { return html("evil"); });
  OriginServer& secure = site.at("https://fixture.test");
  secure.serve("/worker", html("<!doctype html><title>w</title>"));
  Response script = text("self.addEventListener('fetch', () => {})");
  script.headers = {{"Content-Type", "text/javascript"}};
  secure.serve("/sw.js", script);
}

void take(ProbeBrowser& browser, const ProbeBrowser::Tab& tab, const Way& way) {
  if (way.act == Act::kNone) {
    browser.send("Page.navigate", {{"url", "http://fixture.test" + way.path}}, tab.session);
    return;
  }
  browser.load(tab, "http://fixture.test" + way.path);
  const bool form = way.content.find("<form") != std::string::npos;
  browser.click(tab, form ? "#go" : "a", way.act == Act::kControlClick ? 2 : 0);
}

std::string register_worker(ProbeBrowser& browser) {
  const ProbeBrowser::Tab tab = browser.open_tab();
  browser.load(tab, "https://fixture.test/worker");
  const std::string outcome = browser.evaluate(tab,
                                               "navigator.serviceWorker.register('/sw.js')"
                                               ".then(() => 'registered', e => e.name)");
  browser.call("Target.closeTarget", {{"targetId", tab.target}});
  return outcome;
}

}  // namespace

int main() {
  TestSite site;
  serve(site);

  std::vector<bool> reached;
  std::string worker_without;
  {
    ProbeBrowser browser(site);
    std::cout << browser.version() << "\n\n";
    std::size_t before = 0;
    for (const Way& way : kWays) {
      const ProbeBrowser::Tab tab = browser.open_tab();
      take(browser, tab, way);
      std::size_t nth = 0;
      const auto hit = site.evil().wait_for_hit([&](const Hit&) { return ++nth > before; },
                                                agentlock::after(5s));
      reached.push_back(hit.has_value());
      before = site.evil().hits().size();
      browser.call("Target.closeTarget", {{"targetId", tab.target}});
    }
    worker_without = register_worker(browser);
  }

  ProbeBrowser browser(site);
  PausedRequests paused(browser, "evil.test");
  Table table({"way", "reaches evil without Fetch", "documents paused, in order",
               "evil's is the main frame of a known page", "redirectedRequestId",
               "requests, connects at evil"});
  for (std::size_t i = 0; i < kWays.size(); ++i) {
    const std::size_t hits = site.evil().hits().size();
    const std::size_t connects = site.evil().connects().size();
    const ProbeBrowser::Tab tab = browser.open_tab();
    paused.forget();
    take(browser, tab, kWays[i]);
    browser.wait_event(
        "Fetch.requestPaused",
        [](const Json& params) {
          return host_of(params.at("request").at("url").get<std::string>()) == "evil.test";
        },
        5s);
    // One more round trip, so that the answer has been taken.
    browser.call("Target.getTargets");
    std::string order;
    std::string redirected = "no";
    std::string main_frame = "not paused";
    for (const PausedRequests::Pause& pause : paused.pauses()) {
      if (pause.type != "Document") continue;
      order += (order.empty() ? "" : ", ") + pause.url.substr(7);
      if (host_of(pause.url) != "evil.test") continue;
      main_frame = yes_or_no(pause.main_frame);
      redirected = yes_or_no(!pause.redirected_from.empty());
    }
    table.add({kWays[i].name, yes_or_no(reached[i]), order, main_frame, redirected,
               std::to_string(site.evil().hits().size() - hits) + ", " +
                   std::to_string(site.evil().connects().size() - connects)});
    browser.call("Target.closeTarget", {{"targetId", tab.target}});
  }
  table.print();

  paused.forget();
  const std::string worker_with = register_worker(browser);
  Table workers({"service worker script", "register()", "paused as", "Service-Worker header"});
  workers.add({"without Fetch", worker_without, "", ""});
  for (const PausedRequests::Pause& pause : paused.pauses()) {
    if (pause.url != "https://fixture.test/sw.js") continue;
    workers.add({"with Fetch, answered 404", worker_with, pause.type,
                 yes_or_no(pause.service_worker_script)});
  }
  workers.print();
}
