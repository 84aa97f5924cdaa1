#include "browser/reaper.hpp"

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "browser/profile_folder.hpp"
#include "temp_folder.hpp"

// The reaper's process with a shell in the browser's place.

using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace agentlock::browser {
namespace {

struct Reaper {
  explicit Reaper(std::vector<std::string> command) {
    auto folder = ProfileFolder::create(temp.path);
    REQUIRE(folder);
    auto pair = make_socket_pair();
    auto pipe = make_pipe();
    REQUIRE((pair && pipe));
    SpawnOptions spawn;
    spawn.program = AGENTLOCK_BINARY;
    spawn.arguments = {"agentlock-browser", "reaper"};
    for (auto& argument : to_arguments({folder->root(), command[0], command})) {
      spawn.arguments.push_back(argument);
    }
    spawn.environment = {"PATH=/usr/bin:/bin"};
    spawn.descriptors = {-1, -1, pipe->second.get(), pair->second.get(), folder->lock().get()};
    auto spawned = ChildProcess::spawn(spawn);
    REQUIRE(spawned);
    child.emplace(*std::move(spawned));
    control = std::move(pair->first);
    diagnostics = std::move(pipe->first);
  }

  // What was written to the browser's stderr first.
  std::string said() const {
    std::array<char, 256> buffer{};
    const auto size = ::read(diagnostics.get(), buffer.data(), buffer.size());
    return size <= 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(size));
  }

  // All that the reaper sent, up to its end.
  std::string reports() const {
    std::string text;
    std::array<char, 256> buffer{};
    while (true) {
      const auto size = ::read(control.get(), buffer.data(), buffer.size());
      if (size <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(size));
    }
  }

  test::TempFolder temp;
  std::optional<ChildProcess> child;
  Descriptor control;
  Descriptor diagnostics;
};

bool lives(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end + 2, 1) != "Z";
}

}  // namespace

TEST_CASE("when the stream ends, orphans that left group and session are killed too", "[unit]") {
  Reaper reaper(
      {"/bin/sh", "-c", "(setsid sh -c 'echo $$ >&2; exec sleep 100000' &); exec sleep 100000"});
  const pid_t orphan = std::stoi(reaper.said());
  REQUIRE(lives(orphan));
  // It is nobody that a terminal or a service manager could talk into leaving.
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1}) {
    ::kill(reaper.child->pid(), signal);
  }
  CHECK_FALSE(reaper.child->wait_for(50ms));
  SECTION("closed for writing") { ::shutdown(reaper.control.get(), SHUT_WR); }
  SECTION("closed") { reaper.control.reset(); }
  const auto status = reaper.child->wait_for(10s);
  CHECK(status == 0);
  CHECK_FALSE(lives(orphan));
  CHECK(fs::is_empty(reaper.temp.path));
}

TEST_CASE("a browser that ends by itself is reported, and the rest of its tree killed", "[unit]") {
  Reaper reaper({"/bin/sh", "-c", "(setsid sh -c 'exec sleep 100000' &); exit 7"});
  const std::string reports = reaper.reports();
  CHECK(reports.starts_with("S"));
  CHECK(reports.substr(reports.find('\n') + 1) == "E" + std::to_string(7 << 8) + "\n");
  CHECK(reaper.child->wait_for(10s) == 0);
  CHECK(fs::is_empty(reaper.temp.path));
}

TEST_CASE("a browser that can't be executed is reported", "[unit]") {
  Reaper reaper({"/nowhere/chromium"});
  CHECK(reaper.reports() == "F" + std::to_string(ENOENT) + "\n");
  CHECK(reaper.child->wait_for(10s) == 0);
  CHECK(fs::is_empty(reaper.temp.path));
}

TEST_CASE("called by hand it does nothing", "[unit]") {
  SpawnOptions spawn;
  spawn.program = AGENTLOCK_BINARY;
  spawn.arguments = {"agentlock-browser", "reaper"};
  spawn.descriptors = {-1, -1, -1};
  auto child = ChildProcess::spawn(spawn);
  REQUIRE(child);
  const auto status = child->wait_for(10s);
  REQUIRE(status);
  CHECK(WEXITSTATUS(*status) == 2);
}

}  // namespace agentlock::browser
