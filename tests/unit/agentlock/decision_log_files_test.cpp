// The decision log on real files and between real processes. Children are made by
// fork and do nothing but write: they leave by _exit or by a signal.

#include <csignal>
#include <random>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "agentlock/decision_log.hpp"
#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

DecisionLog log_at(const std::filesystem::path& path, const SigningKey& key, const Clock& clock,
                   const std::filesystem::path& heads = {}) {
  return DecisionLog({.path = path,
                      .heads = heads,
                      .session = new_session_id(),
                      .key = &key,
                      .clock = &clock,
                      .sink = system_file_sink()},
                     ModelLog::start());
}

VerifyReport verified_file(const std::filesystem::path& path, const SigningKey& key,
                           const std::filesystem::path& heads = {}) {
  VerifyOptions options;
  options.key = key.public_key();
  options.heads = heads;
  options.log = path;
  std::ifstream in(path, std::ios::binary);
  return *verify_log(in, options);
}

/// Runs `work` in a child process and returns how it ended.
template <typename Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

/// Kills as many writers, each somewhere within its first lines.
void check_kills(int kills) {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  std::mt19937 random(20261130);
  for (int i = 0; i < kills; ++i) {
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      DecisionLog log = log_at(folder / "log", key, clock, folder / "heads");
      Json fields = Json::object();
      fields["text"] = std::string(6'000, 'x');
      for (;;) {
        if (!log.append("perception", fields)) ::_exit(1);
        if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      }
    }
    ::close(ready[1]);
    // Somewhere within the lines that follow: after as many signs of life, and then
    // a while that is different each time.
    char sign = 0;
    for (unsigned lines = 1 + random() % 3; lines > 0; --lines) {
      REQUIRE(::read(ready[0], &sign, 1) == 1);
    }
    for (volatile unsigned spin = random() % 100'000; spin > 0; spin = spin - 1) {
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ready[0]);
    REQUIRE(WIFSIGNALED(status));
  }
  const VerifyReport report = verified_file(folder / "log", key, folder / "heads");
  CHECK_FALSE(report.first_fault);
  CHECK(report.verdict == LogVerdict::kUnfinished);
  CHECK(report.sessions == static_cast<std::uint64_t>(kills));
  CHECK(report.unfinished_sessions == static_cast<std::uint64_t>(kills));
}

}  // namespace

TEST_CASE("the log is the user's alone, also if the file was there before", "[unit]") {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  if (GENERATE(false, true)) {
    write_file(folder / "log", "");
    ::chmod((folder / "log").c_str(), 0644);
  }
  DecisionLog log = log_at(folder / "log", key, clock);
  REQUIRE(log.append("decision", decision_fields(key)));
  REQUIRE(log.end(Json::object()));
  struct stat status{};
  REQUIRE(::lstat((folder / "log").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(verified_file(folder / "log", key).verdict == LogVerdict::kVerified);
}

TEST_CASE("what is no plain file of the user's is refused as a log", "[unit]") {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  std::filesystem::path path = folder / "log";
  write_file(folder / "other", "");
  SECTION("a symbolic link") { std::filesystem::create_symlink(folder / "other", path); }
  SECTION("a dangling link") { std::filesystem::create_symlink(folder / "nothing", path); }
  SECTION("a second name of a file") { std::filesystem::create_hard_link(folder / "other", path); }
  SECTION("a FIFO") { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }
  SECTION("a device") { path = "/dev/null"; }
  SECTION("a folder") { path = folder.path(); }
  SECTION("another user's file") {
    if (::geteuid() != 0) return;  // only root can give a file away
    write_file(path, "");
    REQUIRE(::chown(path.c_str(), 12345, 12345) == 0);
  }
  CHECK_FALSE(check_log_path(path));
  DecisionLog log = log_at(path, key, clock);
  const auto refused = log.append("decision", decision_fields(key));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().describe().find(path.string()) != std::string::npos);
  CHECK(read_file(folder / "other").empty());
  CHECK_FALSE(std::filesystem::exists(folder / "nothing"));
}

TEST_CASE("a log path is checked without making the file", "[unit]") {
  const TempFolder folder;
  CHECK(check_log_path(folder / "log"));
  CHECK_FALSE(std::filesystem::exists(folder / "log"));
  CHECK_FALSE(check_log_path(folder / "missing" / "log"));
  write_file(folder / "file", "");
  CHECK(check_log_path(folder / "file"));
  CHECK_FALSE(check_log_path(folder / "file" / "log"));
}

TEST_CASE("no decision is written where nobody looks for it", "[unit]") {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  const auto path = folder / "sub" / "log";
  std::filesystem::create_directory(folder / "sub");
  DecisionLog log = log_at(path, key, clock);
  REQUIRE(log.append("decision", decision_fields(key)));
  const std::string before = read_file(path);
  SECTION("the file was removed") { std::filesystem::remove(path); }
  SECTION("the file was replaced") {
    std::filesystem::remove(path);
    write_file(path, before);
  }
  SECTION("a link took its place") {
    std::filesystem::rename(path, folder / "moved");
    std::filesystem::create_symlink(folder / "moved", path);
  }
  SECTION("it got a second name") { std::filesystem::create_hard_link(path, folder / "second"); }
  SECTION("the folder vanished") { std::filesystem::remove_all(folder / "sub"); }
  const auto failed = log.append("decision", decision_fields(key));
  REQUIRE_FALSE(failed);
  CHECK(failed.error().describe().find(path.string()) != std::string::npos);
  CHECK(log.failure());
  CHECK_FALSE(log.end(Json::object()));
}

TEST_CASE("a file that may grow no further ends the log, and what was written holds", "[unit]") {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{5000, 5000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    DecisionLog log = log_at(folder / "log", key, clock);
    for (int i = 0; i < 100; ++i) {
      if (!log.append("decision", decision_fields(key))) return log.failure() ? 0 : 3;
    }
    return 1;
  });
  CHECK(status == 0);
  CHECK(std::filesystem::file_size(folder / "log") == 5000);
  const VerifyReport report = verified_file(folder / "log", key);
  CHECK(report.verdict == LogVerdict::kUnfinished);
  CHECK(report.receipts > 0);
  CHECK(report.torn_lines == 1);
}

TEST_CASE("a full disk ends the log, and what was written holds", "[unit]") {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  const auto path = folder / "log";
  const auto copy = folder.path().string() + "-copy";
  const int status = in_child([&] {
    // A mount that only this child sees.
    const int flags = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    if (::unshare(flags) != 0) return 77;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
    if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=16k") != 0) return 77;
    DecisionLog log = log_at(path, key, clock);
    for (int i = 0; i < 100; ++i) {
      const auto written = log.append("decision", decision_fields(key));
      if (written) continue;
      const bool says_why =
          written.error().describe().find("No space left on device") != std::string::npos;
      std::filesystem::copy_file(path, copy);
      return says_why && !log.append("decision", decision_fields(key)) ? 0 : 2;
    }
    return 1;
  });
  if (WEXITSTATUS(status) == 77) {
    WARN("no file system can be mounted here, so a full one was not tried");
    return;
  }
  CHECK(status == 0);
  const VerifyReport report = verified_file(copy, key);
  std::filesystem::remove(copy);
  CHECK(report.verdict == LogVerdict::kUnfinished);
  CHECK(report.receipts > 0);
}

TEST_CASE("several processes share a log, each with a chain of its own", "[unit]") {
  const TempFolder folder;
  const SigningKey key = test_key();
  const ModelClock clock;
  constexpr int kProcesses = 4;
  constexpr int kEvents = 150;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      DecisionLog log = log_at(folder / "log", key, clock, folder / "heads");
      bool good = true;
      for (int k = 0; k < kEvents; ++k) good = good && log.append("egress", Json::object());
      ::_exit(good && log.end(Json::object()) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const VerifyReport report = verified_file(folder / "log", key, folder / "heads");
  CHECK(report.verdict == LogVerdict::kVerified);
  CHECK(report.sessions == kProcesses);
  CHECK(report.lines == kProcesses * (kEvents + 3));
}

TEST_CASE("killed at any moment, every complete line verifies", "[unit]") { check_kills(20); }

TEST_CASE("killed at two hundred moments, every complete line verifies", "[.long]") {
  check_kills(200);
}
