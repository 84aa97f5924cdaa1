#include <functional>

#include "case_support.hpp"

// No string that a page supplied reaches the client before it is recorded (gate.md,
// section 1; attacks.md A47): a canary stands in every place where page text can, all
// tools are used, and each string that a client got must be in the log's provenance.

namespace agentlock::test {
namespace {

void for_each_text(const Json& value, const std::function<void(const std::string&)>& visit) {
  if (value.is_string()) visit(value.get<std::string>());
  if (value.is_structured()) {
    for (const Json& item : value) for_each_text(item, visit);
  }
}

}  // namespace

TEST_CASE("A47: every page string in every result was recorded before", "[browser]") {
  CaseSite site;
  site.at("http://www.fixture.test").serve("/canary-frame", html("<p>canary-in-frame</p>"));
  site.fixture().serve(
      "/canary-url",
      html("<!doctype html><title>canary-title</title><h1>canary-heading</h1>"
           "<a href='http://canary-host.test/canary-path' target=_blank>canary-link</a>"
           "<a href='http://canary-hop.test/canary-hop'>canary-leave</a>"
           "<button onclick=\"alert('canary-alert'); confirm('canary-confirm')\">canary-button"
           "</button>"
           "<div style='position:relative'><button id=under>canary-covered</button>"
           "<div role=canary-role aria-label=canary-cover style='position:absolute;inset:0;"
           "background:white'>canary-overlay</div></div>"
           "<label>canary-label <input value=canary-value placeholder=canary-placeholder></label>"
           "<label>masked <input oninput=\"this.value = 'canary-mask'\"></label>"
           "<select><option>canary-option</option></select>"
           "<span>canary</span><span>-joined</span>"
           "<iframe name=canary-name src='http://www.fixture.test/canary-frame'></iframe>"));
  ServerOptions options = allowlisted("Write INV-2091 into it");
  options.arguments = {"--log-page-text"};
  CaseServer server(site, options);

  std::vector<Json> results;
  results.push_back(server.open("/canary-url"));
  results.push_back(server.call("snapshot"));
  const Json elements = results.back().at("elements");
  results.push_back(server.call("read_text"));
  std::map<std::string, std::string> ids;
  for (const Json& element : elements) ids[element.at("name")] = element.at("id");
  for (const char* name : {"canary-link", "canary-leave", "canary-button", "canary-covered"}) {
    INFO(name << " in " << elements.dump());
    REQUIRE(ids.contains(name));
    results.push_back(server.click(ids[name]));
  }
  results.push_back(server.call("navigate", {{"link_id", ids["canary-leave"]}}));
  results.push_back(server.type(ids["masked"], "INV-2091"));
  results.push_back(server.type(ids["canary-label"], "canary-value"));
  results.push_back(server.navigate("http://canary-hop.test/canary-hop"));
  results.push_back(server.call("back"));

  std::string recorded;
  for (const Json& entry : server.log().events("provenance")) {
    if (entry.at("channel") == "PAGE") recorded += entry.at("content").get<std::string>() + '\n';
  }
  std::size_t canaries = 0;
  for (const Json& result : results) {
    for_each_text(result, [&](const std::string& text) {
      if (text.find("canary") == std::string::npos) return;
      ++canaries;
      INFO(text);
      CHECK(recorded.find(text) != std::string::npos);
    });
  }
  CHECK(canaries > 40);
  std::string all;
  for (const Json& result : results) all += result.dump() + '\n';
  for (const char* place :
       {"canary-url", "canary-title", "canary-heading", "canary-link", "canary-host.test",
        "canary-hop.test", "canary-alert", "canary-confirm", "canary-overlay", "canary-label",
        "canary-value", "canary-mask", "canary-option", "canary-joined", "canary-in-frame",
        "http://www.fixture.test"}) {
    INFO(place << " in " << all);
    CHECK(all.find(place) != std::string::npos);
  }
  // Whatever else went over the wire (errors, notifications) has no page text.
  for (const auto& line : server.client().transcript()) {
    if (line.way != cli::demo::TranscriptLine::Way::kReceived) continue;
    const Json message = Json::parse(line.text);
    if (message.contains("result")) continue;
    CHECK(line.text.find("canary") == std::string::npos);
  }
  server.end_and_verify();
}

}  // namespace agentlock::test
