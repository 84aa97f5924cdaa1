#include "agentlock/decision_log.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "agentlock/sha256.hpp"
#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

Json parsed(const std::string& line) { return *parse_json(line); }

std::vector<std::string> events_of(const std::string& text) {
  std::vector<std::string> events;
  for (const auto& line : lines_of(text)) events.push_back(string_member(parsed(line), "event"));
  return events;
}

}  // namespace

TEST_CASE("a session that logs nothing leaves nothing", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  CHECK_FALSE(*session.log.checkpoint_if_due());
  CHECK(session.log.end(Json::object()));
  CHECK(file.steps == 0);
  CHECK(file.bytes.empty());
}

TEST_CASE("the first event is preceded by session_start with the public key", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  REQUIRE(session.log.end(Json::object()));
  CHECK(events_of(file.bytes) ==
        std::vector<std::string>{"session_start", "decision", "session_end"});
  const Json start = parsed(lines_of(file.bytes)[0]);
  CHECK(string_member(start, "public_key") == key.public_key_hex());
  CHECK(string_member(start, "signing_key_id") == key.key_id());
  CHECK(string_member(start, "version") == "0.1.0");
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("a line's hash is over the hash before it and the line's bytes up to it", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock, "als_one");
  REQUIRE(session.decide());
  REQUIRE(session.decide("deny"));
  std::string prev(64, '0');
  std::uint64_t seq = 0;
  for (const auto& line : lines_of(file.bytes)) {
    const std::size_t body = line.rfind(",\"hash\"");
    const std::string hash = sha256_hex(prev + line.substr(0, body));
    CHECK(line.substr(body) == ",\"hash\":\"" + hash + "\"}");
    const Json json = parsed(line);
    CHECK(string_member(json, "prev") == prev);
    CHECK(json["seq"] == seq++);
    CHECK(string_member(json, "session") == "als_one");
    CHECK(json["ts"] == 1754500000.5);
    CHECK(string_member(json, "iso") == "2025-08-06T17:06:40.500000Z");
    prev = hash;
  }
  CHECK(seq == 3);
}

TEST_CASE("whatever a page puts into an event, it is one line of plain ASCII", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  std::string hostile = "a\n{\"session\":\"als_x\"}\r\x1b[2J\x7f\xc2\x85\xe2\x80\xa8 \xff é";
  hostile += '\0';
  Json fields = Json::object();
  fields["title"] = hostile;
  fields[hostile] = 1;
  REQUIRE(session.log.append("blocked_page", fields));
  REQUIRE(session.log.end(Json::object()));
  CHECK(lines_of(file.bytes).size() == 3);
  for (const char c : file.bytes) REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7F)));
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("each event is one write, under the lock", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  CHECK(file.writes == 2);  // session_start and the decision
  CHECK(file.locked == 0);
  REQUIRE(session.decide());
  CHECK(file.writes == 3);
}

TEST_CASE("a checkpoint follows a hundred unsigned lines, and is on the disk", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  for (int i = 0; i < 98; ++i) REQUIRE(session.log.append("perception", Json::object()));
  CHECK(file.synced.empty());
  REQUIRE(session.log.append("perception", Json::object()));
  CHECK(file.synced == file.bytes);
  CHECK(events_of(file.bytes).back() == "checkpoint");
  CHECK(lines_of(file.bytes).size() == 101);
  for (int i = 0; i < 100; ++i) REQUIRE(session.log.append("perception", Json::object()));
  CHECK(lines_of(file.bytes).size() == 202);
}

TEST_CASE("a line waits five seconds at most for its checkpoint", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  clock.advance(4.9);
  CHECK_FALSE(*session.log.checkpoint_if_due());
  REQUIRE(session.decide());
  clock.seconds -= 3600;  // setting the clock back delays nothing
  clock.steady += std::chrono::milliseconds(200);
  CHECK(*session.log.checkpoint_if_due());
  CHECK(file.synced == file.bytes);
  clock.advance(100);
  CHECK_FALSE(*session.log.checkpoint_if_due());
  REQUIRE(session.decide());
  CHECK_FALSE(*session.log.checkpoint_if_due());
  REQUIRE(session.log.end(Json::object()));
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("time never falls when the clock is set back, and the step is logged", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  clock.seconds -= 100;
  REQUIRE(session.decide());
  clock.seconds += 1;
  REQUIRE(session.decide());
  clock.seconds += 200;
  REQUIRE(session.log.end(Json::object()));
  const auto lines = lines_of(file.bytes);
  REQUIRE(lines.size() == 5);
  CHECK(parsed(lines[2])["clock_back_s"] == 100.0);
  CHECK(parsed(lines[2])["ts"] == parsed(lines[1])["ts"]);
  CHECK(member(parsed(lines[3]), "clock_back_s") == nullptr);
  CHECK(parsed(lines[3])["ts"] == parsed(lines[1])["ts"]);
  CHECK(parsed(lines[4])["ts"] == clock.seconds);
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("a clock that tells nonsense does not stop the log", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  clock.seconds = GENERATE(-5.0, 1e300, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN());
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  REQUIRE(session.log.end(Json::object()));
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("an event can't set what the log sets, nor be one of its own", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  for (const char* name : {"session", "seq", "ts", "iso", "event", "prev", "hash", "signature",
                           "seal", "clock_back_s"}) {
    Json fields = Json::object();
    fields[name] = "x";
    CHECK_FALSE(session.log.append("decision", fields));
  }
  for (const char* event : {"", "session_start", "checkpoint", "session_end"}) {
    CHECK_FALSE(session.log.append(event, Json::object()));
  }
  CHECK_FALSE(session.log.append("decision", Json::array()));
  CHECK(file.bytes.empty());
  CHECK(session.decide());
}

TEST_CASE("an event that is too long is refused, and the log goes on", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  Json fields = Json::object();
  fields["text"] = std::string(std::size_t{16} << 20U, 'x');
  const auto refused = session.log.append("perception", fields);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == ErrorCode::kLimit);
  REQUIRE(session.decide());
  REQUIRE(session.log.end(Json::object()));
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("after session_end nothing more is written", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  REQUIRE(session.log.end(Json::object()));
  const std::string before = file.bytes;
  CHECK_FALSE(session.decide());
  CHECK_FALSE(session.log.end(Json::object()));
  clock.advance(10);
  CHECK_FALSE(*session.log.checkpoint_if_due());
  CHECK(file.bytes == before);
}

TEST_CASE("a short write is completed, also one byte at a time", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  file.most_at_once = 1;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  REQUIRE(session.log.end(Json::object()));
  CHECK(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
}

TEST_CASE("on a full disk every later event fails with the path and the reason", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog session(file, key, clock);
  REQUIRE(session.decide());
  file.room = file.bytes.size() + 50;
  const auto failed = session.decide();
  REQUIRE_FALSE(failed);
  CHECK(failed.error().describe() ==
        "the decision log can't be written: /model/log: cannot be written: No space left");
  const std::string torn = file.bytes;
  file.room = 1U << 30U;  // room again: the chain has ended all the same
  CHECK_FALSE(session.decide());
  CHECK_FALSE(session.log.checkpoint_if_due());
  CHECK_FALSE(session.log.end(Json::object()));
  REQUIRE(session.log.failure());
  CHECK(session.log.failure()->describe() == failed.error().describe());
  CHECK(file.bytes == torn);

  const VerifyReport report = verified(file.bytes, &key);
  CHECK(report.verdict == LogVerdict::kUnfinished);
  CHECK(report.torn == std::vector<std::uint64_t>{3});
}

TEST_CASE("the next server's line does not stick to a torn one", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog first(file, key, clock);
  REQUIRE(first.decide());
  file.room = file.bytes.size() + GENERATE(1U, 9U, 50U, 400U);
  REQUIRE_FALSE(first.decide());
  file.room = 1U << 30U;
  ModelLog second(file, key, clock);
  REQUIRE(second.decide());
  REQUIRE(second.log.end(Json::object()));
  const VerifyReport report = verified(file.bytes, &key);
  CHECK(report.verdict == LogVerdict::kUnfinished);
  CHECK_FALSE(report.first_fault);
  CHECK(report.sessions == 2);
  CHECK(report.unfinished_sessions == 1);
  CHECK(report.torn == std::vector<std::uint64_t>{3});
}

TEST_CASE("whichever step fails, no event is lost that was acknowledged", "[unit]") {
  const SigningKey key = test_key();
  bool untouched = false;
  int runs = 0;
  for (int step = 0; !untouched; ++step) {
    ModelClock clock;
    ModelFile file;
    file.fail_at = step;
    ModelLog session(file, key, clock);
    std::size_t acknowledged = 0;
    for (int i = 0; i < 3; ++i) acknowledged += session.decide() ? 1 : 0;
    clock.advance(6);
    const bool checkpointed = session.log.checkpoint_if_due().has_value();
    const bool ended = session.log.end(Json::object()).has_value();
    untouched = acknowledged == 3 && checkpointed && ended;
    INFO("step " << step);
    CHECK(file.locked == 0);
    CHECK(session.log.failure().has_value() != untouched);
    const VerifyReport report = verified(file.bytes, &key);
    CHECK_FALSE(report.first_fault);
    CHECK(report.receipts >= acknowledged);
    CHECK(report.receipts <= acknowledged + 1);
    if (untouched) CHECK(report.verdict == LogVerdict::kVerified);
    if (++runs > 100) FAIL("no run passes untouched");
  }
  CHECK(runs > 20);
}

TEST_CASE("session ids are AgentLock's and never the same", "[unit]") {
  const std::string id = new_session_id();
  CHECK(id.size() == 31);
  CHECK(id.starts_with("als_"));
  CHECK(id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
        std::string::npos);
  CHECK(id != new_session_id());
}
