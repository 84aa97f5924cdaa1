#include "agentlock/verify.hpp"

#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>

#include "agentlock/log_line.hpp"
#include "agentlock/receipt_signature.hpp"
#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

/// A finished session of `lines` lines.
std::string make_log(const SigningKey& key, std::size_t lines,
                     std::string session = new_session_id()) {
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock, std::move(session));
  for (std::size_t i = 2; i < lines; ++i) {
    REQUIRE(log.decide(i % 3 == 0 ? "deny" : "allow"));
    clock.advance(0.125);
  }
  REQUIRE(log.log.end(Json::object()));
  return file.bytes;
}

/// The line with other contents and a hash that is right for it.
std::string rehashed(std::string line, std::string_view from, std::string_view to) {
  const std::size_t at = line.find(from);
  REQUIRE(at != std::string::npos);
  line.replace(at, from.size(), to);
  const std::string prev = string_member(*parse_json(line), "prev");
  line = line.substr(0, line.rfind(",\"hash\""));
  std::string hash;
  close_line(line, prev, hash);
  line.pop_back();
  return line;
}

void check_fault(const VerifyReport& report, FaultKind kind, std::uint64_t line) {
  CHECK(report.verdict == LogVerdict::kBroken);
  REQUIRE(report.first_fault);
  CHECK(to_string(report.first_fault->kind) == to_string(kind));
  CHECK(report.first_fault->line == line);
}

/// Sessions of five lines each, one after the other.
std::vector<std::string> short_sessions(const SigningKey& key, int count) {
  ModelClock clock;
  ModelFile file;
  for (int i = 0; i < count; ++i) {
    ModelLog log(file, key, clock);
    REQUIRE(log.log.append("egress", Json::object()));
    REQUIRE((i % 5 == 0 ? log.decide("deny") : log.log.append("egress", Json::object())));
    REQUIRE(log.log.append("egress", Json::object()));
    REQUIRE(log.log.end(Json::object()));
  }
  REQUIRE(verified(file.bytes, &key).verdict == LogVerdict::kVerified);
  return lines_of(file.bytes);
}

/// Flips a bit in each byte in turn. A session is judged by itself and a log in its
/// order, so it is enough to verify from the beginning of the damaged line's session
/// to the line behind it, which a damaged LF would join to it.
void check_every_flip(const SigningKey& key, const std::vector<std::string>& lines) {
  for (std::size_t damaged = 0; damaged < lines.size(); ++damaged) {
    const std::size_t first = damaged - damaged % 5;
    const std::size_t line = damaged - first + 1;
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
    const auto here = lines.begin() + static_cast<std::ptrdiff_t>(damaged);
    const auto end = damaged + 1 < lines.size() ? here + 2 : here + 1;
    const std::string good = joined({begin, end});
    const std::size_t offset = joined({begin, here}).size();
    for (std::size_t at = offset; at <= offset + here->size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
      const VerifyReport report = verified(bad, &key);
      // Damage to the end of a session's last line can look as if it were torn.
      const bool found = report.verdict == LogVerdict::kBroken && report.first_fault->line == line;
      const bool torn = line == 5 && report.verdict == LogVerdict::kUnfinished &&
                        report.torn == std::vector<std::uint64_t>{5};
      if (!found && !torn) {
        FAIL("byte " << at << " of line " << line << ": " << to_json(report).dump());
      }
    }
  }
}

}  // namespace

TEST_CASE("a whole log verifies, and the report counts what is in it", "[unit]") {
  const SigningKey key = test_key();
  const VerifyReport report = verified(make_log(key, 50), &key);
  CHECK(report.verdict == LogVerdict::kVerified);
  CHECK(report.lines == 50);
  CHECK(report.sessions == 1);
  CHECK(report.receipts == 48);
  CHECK(report.allowed == 32);
  CHECK(report.denied == 16);
  CHECK(report.checkpoints == 1);
}

TEST_CASE("a flip of a bit in any byte of a fifty-line log is found at its line", "[unit]") {
#if __has_feature(address_sanitizer)
  constexpr int kSessions = 1;  // it takes five times as long there, and no other path
#else
  constexpr int kSessions = 10;
#endif
  const SigningKey key = test_key();
  check_every_flip(key, short_sessions(key, kSessions));
}

TEST_CASE("a changed line is found at its place", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  const std::size_t at = lines[4].find("navigate");
  lines[4][at] = 'N';
  const std::string bad = joined(lines);
  const VerifyReport report = verified(bad, &key);
  check_fault(report, FaultKind::kChangedLine, 5);
  CHECK(report.first_fault->byte == bad.find(lines[4]));
  CHECK(report.first_fault->seq == 4);
}

TEST_CASE("a changed line with a new hash is found at the line after it", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  lines[4] = rehashed(lines[4], "\"channel\":\"USER\"", "\"channel\":\"MODEL\"");
  check_fault(verified(joined(lines), &key), FaultKind::kBrokenLink, 6);
}

TEST_CASE("a rewritten chain is found at the next signature", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  std::string prev;
  for (std::size_t i = 4; i < lines.size(); ++i) {
    if (i == 4) {
      lines[i] = rehashed(lines[i], "\"channel\":\"USER\"", "\"channel\":\"MODEL\"");
    } else {
      lines[i] = rehashed(lines[i], string_member(*parse_json(lines[i]), "prev"), prev);
    }
    prev = string_member(*parse_json(lines[i]), "hash");
  }
  check_fault(verified(joined(lines), &key), FaultKind::kBadSignature, 10);
}

TEST_CASE("a rewritten session_end is found though it signs the head", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  lines[9] = rehashed(lines[9], "Z\"", "X\"");
  check_fault(verified(joined(lines), &key), FaultKind::kBadSignature, 10);
}

TEST_CASE("a checkpoint can't be turned into a session_end to hide a cut tail", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock);
  REQUIRE(log.decide());
  clock.advance(6);
  REQUIRE(*log.log.checkpoint_if_due());
  REQUIRE(log.decide("deny"));
  REQUIRE(log.log.end(Json::object()));
  auto lines = lines_of(file.bytes);
  REQUIRE(lines.size() == 5);
  lines.resize(3);
  lines[2] = rehashed(lines[2], "\"checkpoint\"", "\"session_end\"");
  check_fault(verified(joined(lines), &key), FaultKind::kBadSignature, 3);
}

TEST_CASE("a removed line is found where it is missing", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  lines.erase(lines.begin() + 4);
  check_fault(verified(joined(lines), &key), FaultKind::kRemovedLine, 5);
}

TEST_CASE("a removed beginning is found", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  lines.erase(lines.begin());
  check_fault(verified(joined(lines), &key), FaultKind::kRemovedLine, 1);
}

TEST_CASE("swapped lines are told from a removed one", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  std::swap(lines[4], lines[5]);
  check_fault(verified(joined(lines), &key), FaultKind::kSwappedLines, 5);
}

TEST_CASE("a repeated line and a repeated session are found", "[unit]") {
  const SigningKey key = test_key();
  const auto good = lines_of(make_log(key, 10));
  auto lines = good;
  lines.insert(lines.begin() + 5, lines[4]);
  check_fault(verified(joined(lines), &key), FaultKind::kRepeatedLine, 6);
  lines = good;
  lines.insert(lines.end(), good.begin(), good.end());
  check_fault(verified(joined(lines), &key), FaultKind::kAfterEnd, 11);
}

TEST_CASE("a cut tail is unfinished, and says up to where the log is signed", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock, "als_cut");
  for (int i = 0; i < 120; ++i) REQUIRE(log.decide());
  REQUIRE(log.log.end(Json::object()));
  auto lines = lines_of(file.bytes);
  lines.resize(110);
  const VerifyReport report = verified(joined(lines), &key);
  CHECK(report.verdict == LogVerdict::kUnfinished);
  REQUIRE(report.unfinished.size() == 1);
  CHECK(report.unfinished[0].session == "als_cut");
  CHECK(report.unfinished[0].last_line == 110);
  CHECK(report.unfinished[0].vouched);
  CHECK(report.unfinished[0].vouched_seq == 100);
}

TEST_CASE("a log cut off at any byte is unfinished and never broken", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock);
  REQUIRE(log.log.append("egress", Json::object()));
  REQUIRE(log.log.end(Json::object()));
  const std::string& good = file.bytes;
  for (std::size_t size = 0; size < good.size(); ++size) {
    const VerifyReport report = verified(good.substr(0, size), &key);
    INFO("cut at " << size);
    REQUIRE(report.verdict == LogVerdict::kUnfinished);
    REQUIRE_FALSE(report.first_fault);
    const bool torn = size > 0 && good[size - 1] != '\n';
    REQUIRE(report.torn_lines == (torn ? 1 : 0));
  }
}

TEST_CASE("a line cut short whose session goes on was changed, not torn", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  lines[4].resize(lines[4].size() / 2);
  check_fault(verified(joined(lines), &key), FaultKind::kChangedLine, 5);
}

TEST_CASE("a line broken in two was changed, and what follows it is no line of its own", "[unit]") {
  const SigningKey key = test_key();
  const std::size_t broken = GENERATE(4U, 9U);
  auto lines = lines_of(make_log(key, 10));
  lines[broken][100] = '\n';
  check_fault(verified(joined(lines), &key), FaultKind::kChangedLine, broken + 1);
}

TEST_CASE("a log by another key is foreign to the one asked for", "[unit]") {
  const SigningKey mine = test_key(0);
  const SigningKey theirs = test_key(100);
  const std::string forged = make_log(theirs, 10);
  check_fault(verified(forged, &mine), FaultKind::kForeignKey, 1);
  CHECK(verified(forged).verdict == LogVerdict::kUnpinned);
  CHECK(verified(forged, &theirs).verdict == LogVerdict::kVerified);
}

TEST_CASE("a receipt that the session's key did not sign is found", "[unit]") {
  const SigningKey key = test_key(0);
  const SigningKey other = test_key(100);
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock);
  REQUIRE(log.decide());
  Json fields = decision_fields(key);
  SECTION("another key") { fields = decision_fields(other); }
  SECTION("another key under this key's name") {
    Receipt receipt = *receipt_of(fields["receipt"]);
    fields["receipt"] = to_json(*sign(receipt, other, SigningMethod::kEd25519));
  }
  SECTION("this key under another key's name") {
    Receipt receipt = *receipt_of(fields["receipt"]);
    receipt.signing_key_id = other.key_id();
    fields["receipt"] = to_json(*sign(receipt, key, SigningMethod::kEd25519));
  }
  SECTION("changed after it was signed") { fields["receipt"]["decision"] = "deny"; }
  SECTION("none at all") { fields.erase("receipt"); }
  SECTION("an id of another form") {
    Receipt receipt = *receipt_of(fields["receipt"]);
    receipt.receipt_id = "rcpt_1";
    fields["receipt"] = to_json(*sign(receipt, key, SigningMethod::kEd25519));
  }
  REQUIRE(log.log.append("decision", fields));
  REQUIRE(log.log.end(Json::object()));
  check_fault(verified(file.bytes, &key), FaultKind::kBadReceipt, 3);
}

TEST_CASE("a receipt id that was used before is found, also across sessions", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog first(file, key, clock);
  const Json fields = decision_fields(key);
  REQUIRE(first.log.append("decision", fields));
  REQUIRE(first.decide());
  REQUIRE(first.log.end(Json::object()));
  ModelLog second(file, key, clock);
  REQUIRE(second.log.append("decision", fields));
  REQUIRE(second.log.append("decision", fields));
  REQUIRE(second.log.end(Json::object()));
  check_fault(verified(file.bytes, &key), FaultKind::kReusedReceipt, 6);
}

TEST_CASE("HMAC receipts verify with the secret and are unchecked without", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock);
  REQUIRE(log.log.append("decision", decision_fields(key, "deny", SigningMethod::kHmacSha256)));
  REQUIRE(log.log.end(Json::object()));
  const VerifyReport without = verified(file.bytes, &key);
  CHECK(without.verdict == LogVerdict::kUnpinned);
  CHECK(without.unchecked_receipts == 1);
  VerifyOptions options;
  options.key = key.public_key();
  const SigningKey wrong = test_key(100);
  for (const SigningKey* secret : {&key, &wrong}) {
    options.secret = secret;
    std::istringstream in(file.bytes);
    const auto report = verify_log(in, options);
    REQUIRE(report);
    CHECK(report->verdict == (secret == &key ? LogVerdict::kVerified : LogVerdict::kBroken));
  }
}

TEST_CASE("sessions that share a log are held apart", "[unit]") {
  const SigningKey key = test_key();
  ModelClock clock;
  ModelFile file;
  ModelLog one(file, key, clock);
  ModelLog two(file, key, clock);
  for (int i = 0; i < 5; ++i) {
    REQUIRE(one.decide());
    REQUIRE(two.decide("deny"));
  }
  REQUIRE(one.log.end(Json::object()));
  SECTION("whole") {
    REQUIRE(two.log.end(Json::object()));
    const VerifyReport report = verified(file.bytes, &key);
    CHECK(report.verdict == LogVerdict::kVerified);
    CHECK(report.sessions == 2);
  }
  SECTION("one of them died") {
    const VerifyReport report = verified(file.bytes, &key);
    CHECK(report.verdict == LogVerdict::kUnfinished);
    REQUIRE(report.unfinished.size() == 1);
    CHECK(report.unfinished[0].session == two.log.session());
    CHECK_FALSE(report.unfinished[0].vouched);
  }
}

TEST_CASE("time that goes backwards within a session is found", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 4));
  // Whoever holds the key could write such a line; the log itself never does.
  Json json = *parse_json(lines[2]);
  const std::string prev = string_member(json, "prev");
  json.erase("hash");
  json["ts"] = 1.5;
  std::string line = open_line(json);
  std::string hash;
  close_line(line, prev, hash);
  line.pop_back();
  lines[2] = line;
  check_fault(verified(joined(lines), &key), FaultKind::kTimeBackwards, 3);
}

TEST_CASE("what is no log is told from a changed one", "[unit]") {
  const SigningKey key = test_key();
  const std::string good = make_log(key, 4);
  check_fault(verified("hello\n", &key), FaultKind::kNoLogLine, 1);
  check_fault(verified("hello", &key), FaultKind::kNoLogLine, 1);
  check_fault(verified("\n" + good, &key), FaultKind::kNoLogLine, 1);
  check_fault(verified(good + "{}\n", &key), FaultKind::kNoLogLine, 5);
  check_fault(verified(good + std::string(100, '[') + "\n", &key), FaultKind::kNoLogLine, 5);
  check_fault(verified(std::string("\0\0", 2), &key), FaultKind::kNoLogLine, 1);
  CHECK(verified("", &key).verdict == LogVerdict::kUnfinished);
}

TEST_CASE("lines without end and without depth bound don't exhaust the verifier", "[unit]") {
  const SigningKey key = test_key();
  const std::string long_line = "{\"session\":\"" + std::string(std::size_t{17} << 20U, 'x');
  check_fault(verified(long_line + "\n", &key), FaultKind::kNoLogLine, 1);
  const std::string deep = "{\"session\":" + std::string(200'000, '[') + "\n";
  check_fault(verified(deep, &key), FaultKind::kNoLogLine, 1);
}

TEST_CASE("the report as JSON names verdict, place and kind", "[unit]") {
  const SigningKey key = test_key();
  auto lines = lines_of(make_log(key, 10));
  lines.erase(lines.begin() + 4);
  const Json json = to_json(verified(joined(lines), &key));
  CHECK(json["verdict"] == "broken");
  CHECK(json["first_fault"]["kind"] == "removed_line");
  CHECK(json["first_fault"]["line"] == 5);
  CHECK(json["first_fault"]["seq"] == 5);
  CHECK(to_json(verified(make_log(key, 10), &key))["first_fault"].is_null());
}
