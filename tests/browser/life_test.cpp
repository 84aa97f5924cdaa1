#include <csignal>
#include <filesystem>
#include <fstream>

#include "case_support.hpp"
#include "support/process_table.hpp"

// The life of the browser beside that of the server: whatever happens to one of
// them, calls end, and nothing is left behind.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 on the fixture site.";

/// Options whose private folders all lie below one that the test looks into.
ServerOptions in_folder(const ScratchFolder& folder) {
  ServerOptions options = allowlisted(kTask);
  options.environment.emplace_back("TMPDIR", folder.path().string());
  return options;
}

/// The browser's main process: no --type, and a profile below the folder.
pid_t browser_process(const ScratchFolder& folder) {
  for (const ProcessEntry& process : processes_mentioning(folder.path().string())) {
    if (process.command.find("--user-data-dir=") != std::string::npos &&
        process.command.find("--type=") == std::string::npos &&
        process.command.find(" reaper") == std::string::npos) {
      return process.pid;
    }
  }
  return -1;
}

}  // namespace

TEST_CASE("Ended fifty times in four ways, no process and no folder is left", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  for (int round = 0; round < 50; ++round) {
    INFO("round " << round);
    {
      CaseServer server(site, in_folder(folder));
      REQUIRE(server.open("/t5").at("ok") == true);
      REQUIRE(browser_process(folder) > 0);
      switch (round % 4) {
        case 0:
          server.client().close_stdin();
          break;
        case 1:
          server.client().signal(SIGINT);
          break;
        case 2:
          server.client().signal(SIGTERM);
          break;
        default:
          server.client().signal(SIGKILL);
      }
      const auto ended = server.client().wait_exit();
      REQUIRE(ended.has_value());
      if (round % 4 != 3) CHECK(ended->code == 0);
    }
    REQUIRE(wait_until_none_mentions(folder.path().string(), after(std::chrono::seconds(20))));
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("Signals that follow the first one do not take away the log's end", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  REQUIRE(server.open("/t5").at("ok") == true);
  server.client().signal(SIGINT);
  // As a client does that finds us still there: signal after signal, until we are gone.
  auto ended = server.client().wait_exit(after(std::chrono::milliseconds(1)));
  while (!ended) {
    server.client().signal(SIGTERM);
    ended = server.client().wait_exit(after(std::chrono::milliseconds(1)));
  }
  CHECK(*ended == cli::demo::ExitStatus{0, 0});
  const auto verified = server.verify();
  REQUIRE(verified.has_value());
  INFO(verified->output);
  CHECK(verified->status.code == 0);
}

TEST_CASE("A killed browser is started anew, and the client is told", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  CaseServer server(site, in_folder(folder));
  server.open("/t5");
  const pid_t browser = browser_process(folder);
  REQUIRE(browser > 0);
  kill(browser, SIGKILL);
  REQUIRE(wait_until_ended(browser, after(std::chrono::seconds(10))));
  const Json result = server.open("/landed");
  INFO(result.dump());
  CHECK(result.at("ok") == true);
  CHECK(result.at("browser_restarted") == true);
  server.end_and_verify();
}

TEST_CASE("A call that waits for a browser which dies ends with a clear error", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  Response slow = page("slow");
  slow.hold = Hold::create();
  site.fixture().serve("/slow", slow);
  CaseServer server(site, in_folder(folder));
  server.open("/t5");
  const auto call = server.client().send_request(
      "tools/call", {{"name", "navigate"}, {"arguments", {{"url", "http://fixture.test/slow"}}}});
  REQUIRE(call.has_value());
  // The request has arrived, so the call is in its midst.
  REQUIRE(site.fixture().wait_for_path("/slow", after(std::chrono::seconds(20))).has_value());
  kill(browser_process(folder), SIGKILL);
  const auto result = cli::demo::McpClient::tool_result(server.client().wait(*call));
  REQUIRE(result.has_value());
  INFO(result->raw.dump());
  CHECK(result->structured.at("ok") == false);
  CHECK(result->structured.at("error").at("code") == "browser_gone");
  CHECK(server.open("/landed").at("ok") == true);
  server.end_and_verify();
}

TEST_CASE("A site that never answers costs its time limit and no more", "[browser]") {
  CaseSite site;
  Response silent = page("silent");
  silent.hold = Hold::create();
  site.fixture().serve("/silent", silent);
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--nav-timeout-ms", "2000"};
  CaseServer server(site, options);
  const Json result = server.open("/silent");
  INFO(result.dump());
  CHECK(result.at("ok") == false);
  CHECK(result.at("error").at("code") == "timeout");
  CHECK(server.open("/landed").at("ok") == true);
  server.end_and_verify();
}

TEST_CASE("A cancelled call is not answered and gives its tab to the next", "[browser]") {
  CaseSite site;
  Response silent = page("silent");
  silent.hold = Hold::create();
  site.fixture().serve("/silent", silent);
  CaseServer server(site, allowlisted(kTask));
  const auto call = server.client().send_request(
      "tools/call", {{"name", "navigate"}, {"arguments", {{"url", "http://fixture.test/silent"}}}});
  REQUIRE(call.has_value());
  REQUIRE(site.fixture().wait_for_path("/silent", after(std::chrono::seconds(20))).has_value());
  REQUIRE(server.client().notify("notifications/cancelled", {{"requestId", *call}}).has_value());
  CHECK(server.open("/landed").at("ok") == true);
  CHECK_FALSE(server.client().has_reply(*call));
  server.end_and_verify();
}

TEST_CASE("Calls on the tab run one after the other, in the order they came", "[browser]") {
  CaseSite site;
  CaseServer server(site, allowlisted(kTask));
  std::vector<std::int64_t> calls;
  for (const char* path : {"/t1", "/t2", "/t4", "/t5", "/landed"}) {
    const auto sent = server.client().send_request(
        "tools/call",
        {{"name", "navigate"}, {"arguments", {{"url", kFixture + std::string(path)}}}});
    REQUIRE(sent.has_value());
    calls.push_back(*sent);
  }
  for (const std::int64_t id : calls) {
    const auto result = cli::demo::McpClient::tool_result(server.client().wait(id));
    REQUIRE(result.has_value());
    CHECK(result->structured.at("ok") == true);
  }
  CHECK(site.fixture().targets() ==
        std::vector<std::string>{"/t1", "/t2", "/t4", "/t5", "/landed"});
  server.end_and_verify();
}

TEST_CASE("A dialog stops nothing and is told", "[browser]") {
  CaseSite site;
  site.fixture().serve("/dialogs", page("dialogs",
                                        "<button onclick=\"setTimeout(() => "
                                        "confirm('Save?'), 0)\">ask</button>"
                                        "<script>alert('hello')</script>"));
  CaseServer server(site, allowlisted(kTask));
  const Json opened = server.open("/dialogs");
  INFO(opened.dump());
  CHECK(opened.at("ok") == true);
  REQUIRE(opened.contains("dialogs"));
  CHECK(opened.at("dialogs")[0].at("type") == "alert");
  CHECK(opened.at("dialogs")[0].at("message") == "hello");
  const Json clicked = server.click(server.element("button", "ask"));
  INFO(clicked.dump());
  CHECK(clicked.at("ok") == true);
  REQUIRE(clicked.contains("dialogs"));
  CHECK(clicked.at("dialogs")[0].at("message") == "Save?");
  server.end_and_verify();
}

TEST_CASE("Without a browser the tools say where one was looked for", "[browser]") {
  CaseSite site;
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--chromium-path", "/nowhere/chromium"};
  CaseServer server(site, options);
  CHECK(server.client().request("tools/list")->result.at("tools").size() == 6);
  const auto result = server.client().call_tool("navigate", {{"url", "http://fixture.test/t5"}});
  REQUIRE(result.has_value());
  CHECK(result->is_error);
  CHECK(result->text.find("/nowhere/chromium") != std::string::npos);
}

TEST_CASE("A52: Chromium gets nothing of our environment", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  ServerOptions options = in_folder(folder);
  options.environment.emplace_back("SECRET_TOKEN", "sk-do-not-pass-on");
  CaseServer server(site, options);
  server.open("/t5");
  const pid_t browser = browser_process(folder);
  REQUIRE(browser > 0);
  for (const ProcessEntry& process : process_tree(browser)) {
    std::ifstream file("/proc/" + std::to_string(process.pid) + "/environ", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    INFO(process.command);
    CHECK(bytes.find("sk-do-not-pass-on") == std::string::npos);
    CHECK(bytes.find(server.home().string()) == std::string::npos);
  }
  // What is executed is the program itself, not a wrapper script.
  CHECK(std::filesystem::read_symlink("/proc/" + std::to_string(browser) + "/exe")
            .string()
            .find("chrom") != std::string::npos);
  server.end_and_verify();
}

TEST_CASE("A start that does nothing launches and leaves nothing", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  CaseServer server(site, in_folder(folder));
  CHECK(server.client().request("tools/list").has_value());
  CHECK(processes_mentioning(folder.path().string()).size() == 1);
  server.client().close_stdin();
  REQUIRE(server.client().wait_exit().has_value());
  CHECK_FALSE(std::filesystem::exists(server.log().path()));
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace agentlock::test
