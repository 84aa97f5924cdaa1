#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case_support.hpp"

// The decision log of the real binary: shared by several servers, on a disk that is
// full, in a folder that is gone, and where no log or key may be (attacks.md A49 to
// A51). What can't be written down is not done, and reading goes on.

namespace agentlock::test {
namespace {

const char* const kTask = "Read the report INV-2091 for david@example.com on the fixture site.";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// unshare's arguments for a mount that only the server sees; none where the system
/// lets nobody mount.
std::vector<std::string> own_mounts() {
  for (const char* how : {"-m", "-rm"}) {
    cli::demo::Launch probe{"/usr/bin/unshare", {how, "mount", "-t", "tmpfs", "none", "/mnt"}, {}};
    const auto tried = cli::demo::run_to_end(probe, after(std::chrono::seconds(10)));
    if (tried && tried->status.code == 0) return {"/usr/bin/unshare", how};
  }
  return {};
}

/// No action passes, each with the reason, nothing of them arrives, and reading works.
void check_shut(CaseServer& server, CaseSite& site, const std::string& email,
                const std::string& log, const std::string& why) {
  const std::vector<std::string> before = site.fixture().targets();
  for (const Json& result :
       {server.open("/landed"), server.type(email, "david@example.com"), server.open("/t1")}) {
    const Json& gate = result.at("gate");
    INFO(gate.dump());
    CHECK(result.at("ok") == false);
    CHECK(gate.at("allowed") == false);
    CHECK(gate.at("decided_by") == "server:log");
    CHECK(gate.at("confirmation") == "");
    CHECK_FALSE(gate.contains("receipt_id"));
    const std::string detail = gate.at("detail");
    CHECK(detail.find(log) != std::string::npos);
    CHECK(detail.find(why) != std::string::npos);
  }
  CHECK(site.fixture().targets() == before);
  CHECK(server.call("read_text").at("blocks").size() >= 2);
  CHECK(server.call("snapshot").at("elements").size() >= 2);
}

/// What a copy of the log proves: all that was allowed, and no forgery.
void check_unfinished(const std::string& bytes, const ServerUnderTest& server) {
  ScratchFolder folder;
  std::ofstream(folder.file("copy"), std::ios::binary) << bytes;
  // Apart from its heads file, which knows of another place.
  std::filesystem::copy_file(server.public_key(), folder.file("key.pub"));
  const auto verified =
      run_verify({folder.file("copy"), "--key", folder.file("key.pub"), "--json"});
  REQUIRE(verified.has_value());
  INFO(verified->output);
  CHECK(verified->status.code == 3);
  const Json report = *parse_json(verified->output);
  CHECK(report.at("first_fault").is_null());
  CHECK(report.at("allowed") >= 1);
}

/// Refused on each call, with a line that names the setting and the path.
void check_config_error(CaseSite& site, const ServerOptions& options, const std::string& key,
                        const std::string& path) {
  CaseServer server(site, options);
  const auto result = server.client().call_tool("navigate", {{"url", "http://fixture.test/t5"}});
  REQUIRE(result.has_value());
  INFO(path << ": " << result->text);
  CHECK(result->is_error);
  CHECK(result->text.find(key) != std::string::npos);
  CHECK(result->text.find(path) != std::string::npos);
  CHECK(site.fixture().connects().empty());
}

}  // namespace

TEST_CASE("A49: on a full disk nothing gated is done, and reading goes on", "[browser]") {
  CaseSite site;
  ScratchFolder disk;
  const std::string log = disk.file("decisions.jsonl");
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--log-path", log};
  const std::vector<std::string> unshare = own_mounts();
  if (!unshare.empty()) {
    options.launcher = unshare;
    options.launcher.insert(
        options.launcher.end(),
        {"/bin/sh", "-c", "mount -t tmpfs -o size=20k none \"$0\" && exec \"$@\"",
         disk.path().string()});
  }
  CaseServer server(site, options);
  REQUIRE(server.open("/t3").at("ok") == true);
  const std::string email = server.element("textbox", "Email");
  if (unshare.empty()) {
    // Where nobody may mount, a limit on the size of files does the same.
    const rlimit limit{std::filesystem::file_size(log) + 3'000, RLIM_INFINITY};
    REQUIRE(::prlimit(server.client().pid(), RLIMIT_FSIZE, &limit, nullptr) == 0);
  }
  Json gate = Json::object();
  for (int i = 0; i < 40 && gate.value("decided_by", "") != "server:log"; ++i) {
    gate = server.navigate("http://evil.test/fill").at("gate");
  }
  REQUIRE(gate.at("decided_by") == "server:log");
  check_shut(server, site, email, log,
             unshare.empty() ? "File too large" : "No space left on device");
  CHECK(site.evil().connects().empty());
  check_unfinished(text_of("/proc/" + std::to_string(server.client().pid()) + "/root" + log),
                   server);
}

TEST_CASE("A49: a log that may grow no further shuts the gate, and the next server goes on",
          "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  const std::string log = folder.file("decisions.jsonl");
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--log-path", log, "--signing-key", folder.file("key")};
  {
    CaseServer server(site, options);
    REQUIRE(server.open("/t3").at("ok") == true);
    const std::string email = server.element("textbox", "Email");
    // In the midst of the next line.
    const rlimit limit{std::filesystem::file_size(log) + 100, RLIM_INFINITY};
    REQUIRE(::prlimit(server.client().pid(), RLIMIT_FSIZE, &limit, nullptr) == 0);
    check_shut(server, site, email, log, "File too large");
    server.client().close_stdin();
    REQUIRE(server.client().wait_exit()->code == 0);
  }
  CHECK(text_of(log).back() != '\n');
  {
    CaseServer server(site, options);
    REQUIRE(server.open("/landed").at("ok") == true);
    server.client().close_stdin();
    REQUIRE(server.client().wait_exit()->code == 0);
  }
  const auto verified = run_verify({log, "--key", folder.file("key.pub"), "--json"});
  REQUIRE(verified.has_value());
  INFO(verified->output);
  CHECK(verified->status.code == 3);
  const Json report = *parse_json(verified->output);
  CHECK(report.at("first_fault").is_null());
  CHECK(report.at("sessions") == 2);
  CHECK(report.at("unfinished_sessions") == 1);
  CHECK(report.at("torn_lines") == 1);
}

TEST_CASE("A49: when the log's folder vanishes the gate is shut, and reading goes on",
          "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  const std::filesystem::path logs = folder.path() / "logs";
  std::filesystem::create_directory(logs);
  const std::string log = logs / "decisions.jsonl";
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--log-path", log};
  CaseServer server(site, options);
  REQUIRE(server.open("/t3").at("ok") == true);
  const std::string email = server.element("textbox", "Email");
  const std::string before = text_of(log);
  std::filesystem::remove_all(logs);
  check_shut(server, site, email, log, "No such file or directory");
  // Made again it is another folder, and nothing is written there.
  std::filesystem::create_directory(logs);
  check_shut(server, site, email, log, "No such file or directory");
  CHECK(std::filesystem::is_empty(logs));
  check_unfinished(before, server);
}

TEST_CASE("A49: a log with a second name or in another's hands is a config error", "[browser]") {
  CaseSite site;
  ScratchFolder folder;
  const auto file = [&](const char* name) {
    const std::string path = folder.file(name);
    ::close(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    return path;
  };
  std::vector<std::string> paths = {folder.path(), folder.file("missing") + "/log",
                                    file("file") + "/log"};
  std::filesystem::create_hard_link(file("one"), folder.file("two"));
  paths.push_back(folder.file("two"));
  std::filesystem::create_symlink("nothing", folder.file("dangling"));
  paths.push_back(folder.file("dangling"));
  if (::geteuid() == 0) {
    // Only root can give a file away.
    paths.push_back(file("given"));
    REQUIRE(::chown(paths.back().c_str(), 12345, 12345) == 0);
  }
  for (const std::string& path : paths) {
    ServerOptions options = allowlisted(kTask);
    options.arguments = {"--log-path", path};
    check_config_error(site, options, "log_path", folder.path());
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("nothing")));
}

TEST_CASE("A51: a planted state folder is a config error, and no key is put there", "[browser]") {
  CaseSite site;
  ScratchFolder home;
  const std::filesystem::path folder = home.path() / "agentlock-browser";
  const auto plant = [&](const std::string& kind) {
    std::filesystem::remove_all(folder);
    if (kind == "link") {
      std::filesystem::create_directories(home.path() / "elsewhere");
      ::chmod((home.path() / "elsewhere").c_str(), 0700);
      std::filesystem::create_directory_symlink(home.path() / "elsewhere", folder);
      return true;
    }
    if (kind == "file") {
      std::ofstream(folder) << "x";
      return true;
    }
    std::filesystem::create_directory(folder);
    if (kind == "given away") {
      ::chmod(folder.c_str(), 0700);
      return ::chown(folder.c_str(), 12345, 12345) == 0;  // only root can
    }
    return ::chmod(folder.c_str(), kind == "open to the group" ? 0770 : 0707) == 0;
  };
  for (const char* kind : {"link", "file", "open to the group", "open to all", "given away"}) {
    if (!plant(kind)) continue;
    INFO(kind);
    ServerOptions options = allowlisted(kTask);
    options.environment.emplace_back("XDG_STATE_HOME", home.path());
    check_config_error(site, options, folder, "agentlock-browser");
    CHECK_FALSE(std::filesystem::exists(folder / "key"));
  }
}

TEST_CASE("A51: without a home there is no key, and no other place is taken", "[browser]") {
  CaseSite site;
  ScratchFolder temporary;
  for (const char* home : {"", "relative/home"}) {
    cli::demo::Launch launch;
    launch.program = server_binary();
    launch.arguments = site.arguments();
    launch.environment = {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", temporary.path()}};
    if (*home != '\0') launch.environment.emplace_back("HOME", home);
    auto client = cli::demo::McpClient::start(launch);
    REQUIRE(client.has_value());
    REQUIRE((*client)->handshake().has_value());
    const auto result = (*client)->call_tool("navigate", {{"url", "http://fixture.test/t5"}});
    REQUIRE(result.has_value());
    INFO(result->text);
    CHECK(result->is_error);
    CHECK(result->text.find("HOME") != std::string::npos);
    (*client)->close_stdin();
    REQUIRE((*client)->wait_exit().has_value());
  }
  CHECK(site.fixture().connects().empty());
  CHECK(std::filesystem::is_empty(temporary.path()));
}

TEST_CASE("Several servers write one log at once, and all of it verifies", "[browser]") {
  constexpr std::size_t kServers = 3;
  CaseSite site;
  ScratchFolder folder;
  const std::string log = folder.file("decisions.jsonl");
  ServerOptions options = allowlisted(kTask);
  options.arguments = {"--log-path", log, "--signing-key", folder.file("key")};
  std::vector<std::unique_ptr<CaseServer>> servers;
  for (std::size_t i = 0; i < kServers; ++i) {
    servers.push_back(std::make_unique<CaseServer>(site, options));
  }
  // All calls are under way before the first answer is read.
  std::vector<std::pair<CaseServer*, std::int64_t>> calls;
  for (int round = 0; round < 10; ++round) {
    for (const auto& server : servers) {
      const char* url = round % 2 == 0 ? "http://fixture.test/landed" : "http://evil.test/x";
      const auto sent = server->client().send_request(
          "tools/call", {{"name", "navigate"}, {"arguments", {{"url", url}}}});
      REQUIRE(sent.has_value());
      calls.emplace_back(server.get(), *sent);
    }
  }
  for (const auto& [server, id] : calls) {
    const auto result = cli::demo::McpClient::tool_result(server->client().wait(id));
    REQUIRE(result.has_value());
    CHECK_FALSE(result->is_error);
  }
  for (const auto& server : servers) server->client().close_stdin();
  for (const auto& server : servers) REQUIRE(server->client().wait_exit()->code == 0);

  const auto verified = run_verify({log, "--key", folder.file("key.pub"), "--json"});
  REQUIRE(verified.has_value());
  INFO(verified->output);
  CHECK(verified->status.code == 0);
  const Json report = *parse_json(verified->output);
  CHECK(report.at("sessions") == kServers);
  CHECK(report.at("allowed") == 5 * kServers);
  CHECK(report.at("denied") == 5 * kServers);
  // They were in it at the same time: some session's line follows another's before it ends.
  std::string seen;
  std::size_t changes = 0;
  for (const Json& event : LogReader(log).events()) {
    if (event.at("session") != seen) ++changes;
    seen = event.at("session");
  }
  CHECK(changes > kServers);
}

}  // namespace agentlock::test
