#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "agentlock/decision_log.hpp"
#include "agentlock/log_heads.hpp"
#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

/// A log of finished sessions on disk, with the heads that they left.
struct LoggedFolder {
  TempFolder folder;
  SigningKey key = test_key();
  ModelClock clock;
  std::filesystem::path log = folder / "log";
  std::filesystem::path heads = folder / "heads";
  std::vector<std::string> sessions;

  void session(int decisions) {
    sessions.push_back(new_session_id());
    DecisionLog writer({.path = log,
                        .heads = heads,
                        .session = sessions.back(),
                        .key = &key,
                        .clock = &clock,
                        .sink = system_file_sink()},
                       ModelLog::start());
    for (int i = 0; i < decisions; ++i) {
      REQUIRE(writer.append("decision", decision_fields(key)));
    }
    REQUIRE(writer.end(Json::object()));
  }

  Result<VerifyReport> verify(const std::filesystem::path& path) const {
    VerifyOptions options;
    options.key = key.public_key();
    options.heads = heads;
    options.log = path;
    std::ifstream in(path, std::ios::binary);
    return verify_log(in, options);
  }

  VerifyReport verify_lines(const std::vector<std::string>& lines) const {
    write_file(log, joined(lines));
    return *verify(log);
  }
};

}  // namespace

TEST_CASE("heads agree with an untouched log", "[unit]") {
  LoggedFolder logged;
  logged.session(3);
  logged.session(4);
  CHECK(logged.verify(logged.log)->verdict == LogVerdict::kVerified);
  struct stat status{};
  REQUIRE(::lstat(logged.heads.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  const auto heads = load_heads(logged.heads);
  REQUIRE(heads);
  CHECK(heads->size() == 2);
  CHECK(heads->at(logged.sessions[0]).seq == 4);
  CHECK(heads->at(logged.sessions[1]).seq == 5);
}

TEST_CASE("a tail that was cut off is found by the heads", "[unit]") {
  LoggedFolder logged;
  logged.session(4);
  auto lines = lines_of(read_file(logged.log));
  lines.resize(3);
  const VerifyReport report = logged.verify_lines(lines);
  CHECK(report.verdict == LogVerdict::kBroken);
  REQUIRE(report.first_fault);
  CHECK(report.first_fault->kind == FaultKind::kCutTail);
  CHECK(report.first_fault->line == 3);
  CHECK(report.first_fault->seq == 2);
}

TEST_CASE("a session that was cut out whole is found by the heads", "[unit]") {
  LoggedFolder logged;
  logged.session(2);
  logged.session(3);
  auto lines = lines_of(read_file(logged.log));
  lines.erase(lines.begin(), lines.begin() + 4);
  const VerifyReport report = logged.verify_lines(lines);
  CHECK(report.verdict == LogVerdict::kBroken);
  REQUIRE(report.first_fault);
  CHECK(report.first_fault->kind == FaultKind::kMissingSession);
  CHECK(report.first_fault->session == logged.sessions[0]);
  CHECK(logged.verify_lines({}).verdict == LogVerdict::kBroken);
}

TEST_CASE("a session that was written anew is found by the heads", "[unit]") {
  LoggedFolder logged;
  logged.session(2);
  // By someone with the key, under the same session id, without one decision.
  ModelFile file;
  ModelLog forged(file, logged.key, logged.clock, logged.sessions[0]);
  for (int i = 0; i < 2; ++i) REQUIRE(forged.log.append("egress", Json::object()));
  REQUIRE(forged.log.end(Json::object()));
  CHECK(verified(file.bytes, &logged.key).verdict == LogVerdict::kVerified);
  const VerifyReport report = logged.verify_lines(lines_of(file.bytes));
  CHECK(report.verdict == LogVerdict::kBroken);
}

TEST_CASE("a copy of a log elsewhere need not hold what the original holds", "[unit]") {
  LoggedFolder logged;
  logged.session(2);
  const auto copy = logged.folder / "copy";
  std::filesystem::copy_file(logged.log, copy);
  logged.session(2);
  CHECK(logged.verify(copy)->verdict == LogVerdict::kVerified);
}

TEST_CASE("one log has one place, however its path is written", "[unit]") {
  LoggedFolder logged;
  logged.session(2);
  logged.session(2);
  auto lines = lines_of(read_file(logged.log));
  lines.resize(4);
  write_file(logged.log, joined(lines));
  CHECK(logged.verify(logged.folder / "." / "log")->verdict == LogVerdict::kBroken);
}

TEST_CASE("a log whose heads can't be kept is not written on", "[unit]") {
  LoggedFolder logged;
  std::filesystem::create_symlink(logged.folder / "elsewhere", logged.heads);
  DecisionLog writer({.path = logged.log,
                      .heads = logged.heads,
                      .session = new_session_id(),
                      .key = &logged.key,
                      .clock = &logged.clock,
                      .sink = system_file_sink()},
                     ModelLog::start());
  CHECK_FALSE(writer.append("decision", decision_fields(logged.key)));
  CHECK(writer.failure());
  CHECK(lines_of(read_file(logged.log)).size() == 1);
}

TEST_CASE("a heads file of another form is an error and no verdict", "[unit]") {
  LoggedFolder logged;
  logged.session(2);
  write_file(logged.heads, std::string(1000, 'x'));
  CHECK_FALSE(logged.verify(logged.log));
}

TEST_CASE("a record that was left half written harms no other", "[unit]") {
  LoggedFolder logged;
  logged.session(2);
  write_file(logged.heads, read_file(logged.heads) + "als_half");
  logged.session(2);
  CHECK(logged.verify(logged.log)->verdict == LogVerdict::kVerified);
  CHECK(load_heads(logged.heads)->size() == 2);
}
