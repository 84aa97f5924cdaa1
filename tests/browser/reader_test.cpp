#include <fstream>
#include <regex>
#include <set>

#include "case_support.hpp"

// What the reading tools make of pages that hide, clobber or override: the pages of
// fixtures/pages/reader mark what a person sees by words that begin with SEEN, and what
// nobody sees by words that begin with HIDDEN.

namespace agentlock::test {
namespace {

std::string page_source(const std::string& name) {
  std::ifstream file(std::string(AGENTLOCK_FIXTURES) + "/pages/reader/" + name + ".html");
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> words(const std::string& text, const std::string& pattern) {
  const std::regex word(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
    found.insert(at->str());
  }
  return found;
}

std::string all_text(CaseServer& server) {
  std::string text;
  const Json read = server.call("read_text", {{"max_chars", 60'000}});
  for (const Json& block : read.at("blocks")) text += block.at("text").get<std::string>() + '\n';
  return text;
}

std::size_t count(const std::string& text, const std::string& word) {
  const std::regex whole("\\b" + word + "\\b");
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), whole), {}));
}

}  // namespace

TEST_CASE("Hidden text is left out, and all that is seen is read once", "[browser]") {
  CaseSite site;
  const std::string source = page_source("hidden_text_is_left_out");
  site.fixture().serve("/page", html(source));
  CaseServer server(site, allowlisted("Read INV-2091."));
  server.open("/page");
  const std::string text = all_text(server);
  const std::string body = source.substr(source.find("-->"));
  const auto seen = words(body, "SEEN[a-z]+");
  const auto hidden = words(body, "HIDDEN[a-z]+");
  REQUIRE(seen.size() > 20);
  REQUIRE(hidden.size() > 20);
  for (const std::string& word : seen) {
    INFO(word);
    CHECK(count(text, word) == 1);
  }
  for (const std::string& word : hidden) {
    INFO(word);
    CHECK(text.find(word) == std::string::npos);
  }
}

TEST_CASE("A page that overrides built-ins or clobbers names changes nothing", "[browser]") {
  CaseSite site;
  site.fixture().serve(
      "/hostile",
      html("<!doctype html><title>true title</title><h1>true heading</h1>"
           "<a id=link href='http://fixture.test/landed'>true link</a>"
           "<form action='/x'><input name=action><input name=getAttribute><input name=children>"
           "<button>true button</button></form><p style='display:none'>false text</p>"
           "<script>Array.prototype.push = () => 0; Array.prototype.map = () => [];"
           "JSON.stringify = () => '\"false\"'; window.getComputedStyle = () => ({});"
           "Document.prototype.querySelectorAll = () => [];"
           "Object.defineProperty(Node.prototype, 'textContent', {get: () => 'false'});"
           "Object.defineProperty(HTMLAnchorElement.prototype, 'href',"
           " {get: () => 'http://evil.test/'});</script>"));
  CaseServer server(site, allowlisted("Read INV-2091."));
  CHECK(server.open("/hostile").at("title") == "true title");
  const Json snapshot = server.call("snapshot");
  INFO(snapshot.dump());
  CHECK(snapshot.dump().find("false") == std::string::npos);
  bool link = false;
  for (const Json& element : snapshot.at("elements")) {
    link = link || (element.at("name") == "true link" &&
                    element.at("href") == "http://fixture.test/landed");
  }
  CHECK(link);
  const std::string text = all_text(server);
  for (const char* word : {"true heading", "true link", "true button"}) {
    INFO(word);
    CHECK(text.find(word) != std::string::npos);
  }
}

TEST_CASE("An element keeps its id when others are inserted before it", "[browser]") {
  CaseSite site;
  site.fixture().serve("/list", page("list",
                                     "<ul id=l><li><button>Beta</button></ul>"
                                     "<button onclick=\"l.insertAdjacentHTML('afterbegin',"
                                     "'<li><button>Alpha</button>')\">insert</button>"));
  CaseServer server(site, allowlisted("Read INV-2091."));
  server.open("/list");
  const std::string beta = server.element("button", "Beta");
  server.click(server.element("button", "insert"));
  CHECK(server.element("button", "Beta") == beta);
  CHECK(server.element("button", "Alpha") != beta);
}

TEST_CASE("A frame in another process is listed as unread, and nothing of it is told",
          "[browser]") {
  CaseSite site;
  site.evil().serve("/inner", html("<p>foreign text</p>"));
  site.fixture().serve("/outer", page("outer", "<iframe src='http://evil.test/inner'></iframe>"));
  CaseServer server(site, allowlisted("Read INV-2091."));
  server.open("/outer");
  const Json snapshot = server.call("snapshot");
  INFO(snapshot.dump());
  bool unread = false;
  for (const Json& element : snapshot.at("elements")) {
    unread = unread || (element.at("role") == "iframe" && element.value("unread", false));
  }
  CHECK(unread);
  CHECK(snapshot.dump().find("foreign text") == std::string::npos);
  CHECK(all_text(server).find("foreign text") == std::string::npos);
}

TEST_CASE("A long page is read in portions that go on where the last one ended", "[browser]") {
  CaseSite site;
  std::string content;
  for (int i = 0; i < 1'000; ++i) content += "<a href='/landed'>link" + std::to_string(i) + "</a> ";
  site.fixture().serve("/long", page("long", content));
  CaseServer server(site, allowlisted("Read INV-2091."));
  server.open("/long");
  std::vector<std::string> names;
  Json arguments = Json::object();
  for (int portion = 0; portion < 40; ++portion) {
    const Json snapshot = server.call("snapshot", arguments);
    CHECK(snapshot.dump().size() <= 24'576);
    for (const Json& element : snapshot.at("elements")) {
      if (element.at("role") == "link") names.push_back(element.at("name"));
    }
    if (!snapshot.contains("next_cursor")) break;
    arguments["cursor"] = snapshot.at("next_cursor");
  }
  REQUIRE(names.size() == 1'000);
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(names[i] == "link" + std::to_string(i));
}

}  // namespace agentlock::test
