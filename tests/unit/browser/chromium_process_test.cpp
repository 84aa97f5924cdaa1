#include "browser/chromium_process.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.hpp"
#include "browser/leftovers.hpp"
#include "cdp/connection.hpp"
#include "cdp/protocol.hpp"
#include "temp_folder.hpp"

// A real Chromium and the real reaper. What counts is what is left: processes
// whose command line names the private folder, and the folder.

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace agentlock::browser {
namespace {

using test::TempFolder;

// The pids whose command line holds `text`.
std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "cmdline");
    const std::string line(std::istreambuf_iterator<char>(file), {});
    if (line.find(text) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

bool nothing_left(const fs::path& parent) {
  return processes_with(parent.string()).empty() && fs::is_empty(parent);
}

// For ends that nobody can wait for: looks until a generous limit.
bool soon(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    ::usleep(5'000);
  }
  return true;
}

bool nothing_left_soon(const fs::path& parent) {
  return soon([&parent] { return nothing_left(parent); });
}

LaunchOptions options_in(const fs::path& parent) {
  LaunchOptions options;
  options.profile_parent = parent;
  options.reaper = AGENTLOCK_BINARY;
  return options;
}

template <typename T>
T run(asio::io_context& io, Task<T> task) {
  std::optional<T> result;
  asio::co_spawn(
      io,
      [](Task<T> of, std::optional<T>& into) -> Task<void> {
        into.emplace(co_await std::move(of));
      }(std::move(task), result),
      LogFailure{"a test"});
  io.restart();
  while (!result && io.run_one() > 0) {
  }
  REQUIRE(result);
  return *std::move(result);
}

std::unique_ptr<ChromiumProcess> launch(asio::io_context& io, LaunchOptions options) {
  auto launched =
      run(io, ChromiumProcess::launch(io.get_executor(), std::move(options), after(60s)));
  if (!launched) FAIL(launched.error().describe());
  return *std::move(launched);
}

pid_t parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text(std::istreambuf_iterator<char>(file), {});
  return std::stoi(text.substr(text.rfind(')') + 4));
}

struct Server {
  pid_t pid;
  pid_t browser;
};

// A process of its own that launches a browser and then only waits.
Server start_server(const fs::path& parent) {
  auto started = make_pipe();
  REQUIRE(started);
  const pid_t pid = ::fork();
  if (pid == 0) {
    asio::io_context io;
    auto launched =
        run(io, ChromiumProcess::launch(io.get_executor(), options_in(parent), after(60s)));
    const pid_t browser = launched ? (*launched)->pid() : -1;
    (void)!::write(started->second.get(), &browser, sizeof(browser));
    io.run();
    ::_exit(0);
  }
  started->second.reset();
  pid_t browser = -1;
  REQUIRE(::read(started->first.get(), &browser, sizeof(browser)) == sizeof(browser));
  REQUIRE(browser > 0);
  return {pid, browser};
}

}  // namespace

TEST_CASE("a closed browser leaves neither process nor folder", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  auto chromium = launch(io, options_in(temp.path));
  CHECK(processes_with(temp.path.string()).size() > 2);
  const auto closed = run(io, chromium->close());
  CHECK(closed);
  CHECK(nothing_left(temp.path));
}

TEST_CASE("a forgotten browser leaves neither process nor folder", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  launch(io, options_in(temp.path)).reset();
  CHECK(nothing_left(temp.path));
}

TEST_CASE("a browser can be asked over its debugging port", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  auto chromium = launch(io, options_in(temp.path));
  auto transport =
      run(io, cdp::connect_websocket(io.get_executor(), chromium->address(), after(10s)));
  REQUIRE(transport);
  const auto connection = cdp::Connection::open(io.get_executor(), *std::move(transport));
  const auto version =
      run(io, connection->call(cdp::SessionId(), cdp::kBrowserGetVersion, after(10s)));
  REQUIRE(version);
  CHECK(string_member(*version, "product").find('/') != std::string::npos);

  SECTION("an unknown target is a target that is gone") {
    Json params = {{"targetId", "none"}, {"flatten", true}};
    const auto refused =
        run(io, connection->call(cdp::SessionId(), cdp::kTargetAttachToTarget, params, after(10s)));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == ErrorCode::kTargetGone);
  }
  SECTION("when it is killed, a waiting call fails and the end is told") {
    ::kill(chromium->pid(), SIGKILL);
    const auto reply =
        run(io, connection->call(cdp::SessionId(), cdp::kTargetGetTargets, after(60s)));
    REQUIRE_FALSE(reply);
    CHECK(reply.error().code() == ErrorCode::kBrowserGone);
    const Error end = run(io, chromium->exited());
    CHECK(end.message().find("signal 9") != std::string::npos);
    CHECK(run(io, chromium->close()));
    CHECK(nothing_left(temp.path));
  }
}

TEST_CASE("a killed server leaves neither process nor folder", "[browser]") {
  const TempFolder temp;
  const Server server = start_server(temp.path);
  CHECK(processes_with(temp.path.string()).size() > 2);
  ::kill(server.pid, SIGKILL);
  ::waitpid(server.pid, nullptr, 0);
  CHECK(nothing_left_soon(temp.path));
}

TEST_CASE("server and reaper killed: the browser ends, and the next start removes the folder",
          "[browser]") {
  const TempFolder temp;
  const Server server = start_server(temp.path);
  // Stopped, it can't do the reaper's work.
  ::kill(server.pid, SIGSTOP);
  ::kill(parent_of(server.browser), SIGKILL);
  CHECK(soon([&] { return processes_with(temp.path.string()).empty(); }));
  CHECK(sweep_leftovers(temp.path) == 0);
  ::kill(server.pid, SIGKILL);
  ::waitpid(server.pid, nullptr, 0);
  CHECK_FALSE(fs::is_empty(temp.path));
  CHECK(sweep_leftovers(temp.path) == 1);
  CHECK(fs::is_empty(temp.path));
}

TEST_CASE("a killed reaper takes the browser with it", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  auto chromium = launch(io, options_in(temp.path));
  ::kill(parent_of(chromium->pid()), SIGKILL);
  const Error end = run(io, chromium->exited());
  CHECK(end.code() == ErrorCode::kBrowserGone);
  CHECK(run(io, chromium->close()));
  CHECK(fs::is_empty(temp.path));
  CHECK(nothing_left_soon(temp.path));
}

TEST_CASE("the browser has a closed environment and none of our descriptors", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  ::setenv("AGENTLOCK_TEST_SECRET", "x", 1);
  const fs::path open_file = temp.path / "open";
  // Without O_CLOEXEC, as a client may have left one to us.
  const Descriptor careless(::open(open_file.c_str(), O_RDWR | O_CREAT, 0600));
  auto chromium = launch(io, options_in(temp.path));
  const fs::path proc = "/proc/" + std::to_string(chromium->pid());
  std::ifstream file(proc / "environ");
  const std::string environment(std::istreambuf_iterator<char>(file), {});
  std::vector<std::string> names;
  for (std::size_t at = 0; at < environment.size(); at = environment.find('\0', at) + 1) {
    names.push_back(environment.substr(at, environment.find('=', at) - at));
  }
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"HOME", "LANG", "PATH", "TMPDIR"});
  CHECK(fs::read_symlink(proc / "fd/0") == "/dev/null");
  CHECK(fs::read_symlink(proc / "fd/1") == "/dev/null");
  for (const auto& entry : fs::directory_iterator(proc / "fd")) {
    std::error_code closed_meanwhile;
    const fs::path target = fs::read_symlink(entry.path(), closed_meanwhile);
    CHECK(target != open_file);
    CHECK(target.filename() != kMarkerName);
  }
  CHECK(fs::read_symlink(proc / "exe") == chromium->executable());
}

TEST_CASE("no browser: the error names the place and how to name another", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  LaunchOptions options = options_in(temp.path);
  options.chromium = "/nowhere/chromium";
  const auto launched =
      run(io, ChromiumProcess::launch(io.get_executor(), std::move(options), after(60s)));
  REQUIRE_FALSE(launched);
  CHECK(launched.error().code() == ErrorCode::kNotFound);
  CHECK(launched.error().describe().find("/nowhere/chromium") != std::string::npos);
  CHECK(fs::is_empty(temp.path));
}

TEST_CASE("a program that is no browser fails with what it said", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  LaunchOptions options = options_in(temp.path);
  options.chromium = "/bin/ls";
  const auto launched =
      run(io, ChromiumProcess::launch(io.get_executor(), std::move(options), after(60s)));
  REQUIRE_FALSE(launched);
  CHECK(launched.error().code() == ErrorCode::kBrowserGone);
  CHECK(launched.error().describe().find("unrecognized option") != std::string::npos);
  CHECK(nothing_left(temp.path));
}

TEST_CASE("a browser that does not start in time is ended", "[browser]") {
  const TempFolder temp;
  asio::io_context io;
  const auto launched =
      run(io, ChromiumProcess::launch(io.get_executor(), options_in(temp.path), after(1ms)));
  REQUIRE_FALSE(launched);
  CHECK(launched.error().code() == ErrorCode::kTimeout);
  CHECK(nothing_left(temp.path));
}

TEST_CASE("the operator's own profile is kept, private to one run, without its workers",
          "[browser]") {
  const TempFolder temp;
  const TempFolder own;
  fs::create_directories(own.path / "Default" / "Service Worker" / "Database");
  std::ofstream(own.path / "Default" / "Preferences") << R"({"net":{"x":1},"y":2})";
  asio::io_context io;
  LaunchOptions options = options_in(temp.path);
  options.user_data_dir = own.path;
  auto chromium = launch(io, options);
  CHECK_FALSE(fs::exists(own.path / "Default" / "Service Worker" / "Database"));
  const auto second = run(io, ChromiumProcess::launch(io.get_executor(), options, after(60s)));
  REQUIRE_FALSE(second);
  CHECK(second.error().code() == ErrorCode::kRefused);
  CHECK(run(io, chromium->close()));
  CHECK(fs::exists(own.path / "Default" / "Preferences"));
  CHECK(nothing_left(temp.path));
}

}  // namespace agentlock::browser
