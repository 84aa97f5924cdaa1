// Can a page change what a script of ours reads of it? The page of this probe replaces
// what such a script would use, and names form fields after properties of the form.
// The same expressions are evaluated in the page's own world and in an isolated one.

#include <iostream>

#include <nlohmann/json.hpp>

#include "common/probe_browser.hpp"
#include "common/table.hpp"

namespace {

using agentlock::Json;
using agentlock::probe::ProbeBrowser;
using agentlock::probe::Table;
using namespace agentlock::test;

constexpr const char* kHostilePage = R"html(<!doctype html><title>t</title>
<p id="text">true</p>
<a id="link" href="http://evil.test/">link</a>
<form id="form" action="http://evil.test/send" method="post">
  <input name="action" value="fake"><input name="getAttribute"><input name="children">
  <input name="parentNode"></form>
<div style="display:none" id="hidden">hidden</div>
<script>
  const lie = (object, name, get) => Object.defineProperty(object, name, {get, configurable: true});
  Array.prototype.map = () => ["fake"];
  Array.prototype.push = () => 0;
  JSON.stringify = () => '"fake"';
  Document.prototype.querySelectorAll = () => [];
  document.querySelector = () => null;
  window.getComputedStyle = () => ({display: "block"});
  lie(Node.prototype, "textContent", () => "fake");
  lie(HTMLAnchorElement.prototype, "href", () => "http://fixture.test/");
  Element.prototype.getAttribute = () => "fake";
  Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, width: 9, height: 9});
</script>)html";

struct Reading {
  std::string what;
  std::string expression;
  std::string truth;
};

const std::vector<Reading> kReadings = {
    {"Array.prototype.map", "[1].map(x => x + 1)[0] + ''", "2"},
    {"Array.prototype.push", "(() => { const a = []; a.push(1); return a.length + ''; })()", "1"},
    {"JSON.stringify", "JSON.stringify(1)", "1"},
    {"document.querySelectorAll", "document.querySelectorAll('p').length + ''", "1"},
    {"document.querySelector", "document.querySelector('p') === null ? 'null' : 'found'", "found"},
    {"getComputedStyle", "getComputedStyle(document.getElementById('hidden')).display", "none"},
    {"textContent", "document.getElementById('text').textContent", "true"},
    {"a.href", "document.getElementById('link').href", "http://evil.test/"},
    {"a.getAttribute", "document.getElementById('link').getAttribute('href')", "http://evil.test/"},
    {"getBoundingClientRect of a hidden element",
     "document.getElementById('hidden').getBoundingClientRect().width + ''", "0"},
    {"form.action, read plainly", "String(document.getElementById('form').action)",
     "http://evil.test/send"},
    {"typeof form.getAttribute, read plainly",
     "typeof document.getElementById('form').getAttribute", "function"},
    {"form.children, read plainly", "String(document.getElementById('form').children)",
     "[object HTMLCollection]"},
    {"form.action by the prototype's getter",
     "Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'action').get.call("
     "document.getElementById('form'))",
     "http://evil.test/send"},
    {"getAttribute by the prototype, called on the form",
     "Element.prototype.getAttribute.call(document.getElementById('form'), 'action')",
     "http://evil.test/send"},
    {"parentNode by the prototype's getter",
     "Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get.call("
     "document.getElementById('form')).nodeName",
     "BODY"},
};

std::string judged(const Json& value, const std::string& truth) {
  const std::string text = value.is_string() ? value.get<std::string>() : "no text";
  return text == truth ? "true" : "FALSE: " + text;
}

}  // namespace

int main() {
  TestSite site;
  site.fixture().serve("/", html(kHostilePage));
  ProbeBrowser browser(site);
  std::cout << browser.version() << "\n\n";
  const ProbeBrowser::Tab tab = browser.open_tab();
  browser.load(tab, "http://fixture.test/");
  Table table({"what is read", "the page's world", "isolated world"});
  for (const Reading& reading : kReadings) {
    table.add({reading.what, judged(browser.evaluate(tab, reading.expression), reading.truth),
               judged(browser.evaluate_isolated(tab, reading.expression), reading.truth)});
  }
  table.print();
}
