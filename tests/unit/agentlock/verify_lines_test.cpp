#include <catch2/catch.hpp>

#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

/// What was said of a line, without what lived only for the call.
struct Said {
  std::uint64_t number;
  std::string event;
  std::string session;
  LineState state;
  std::optional<FaultKind> fault;
  std::optional<ReceiptCheck::State> receipt;
};

std::vector<Said> said_of(const std::string& text, const SigningKey& pinned) {
  std::vector<Said> said;
  VerifyOptions options;
  options.key = pinned.public_key();
  options.judged = [&](const JudgedLine& line) {
    Said one{line.number, "", line.session, line.state, std::nullopt, std::nullopt};
    if (line.json != nullptr) one.event = string_member(*line.json, "event");
    if (line.fault) one.fault = line.fault->kind;
    if (line.receipt) one.receipt = line.receipt->state;
    said.push_back(std::move(one));
  };
  std::istringstream in(text);
  REQUIRE(verify_log(in, options));
  return said;
}

/// session_start, five decisions, session_end.
std::vector<std::string> session(const SigningKey& key) {
  ModelClock clock;
  ModelFile file;
  ModelLog log(file, key, clock, "als_lines");
  for (int i = 0; i < 5; ++i) REQUIRE(log.decide());
  REQUIRE(log.log.end(Json::object()));
  return lines_of(file.bytes);
}

using Check = ReceiptCheck::State;

}  // namespace

TEST_CASE("of a whole log each line holds and each receipt verifies", "[unit]") {
  const SigningKey key = test_key();
  const auto said = said_of(joined(session(key)), key);
  REQUIRE(said.size() == 7);
  for (const Said& one : said) {
    CHECK(one.state == LineState::kHolds);
    CHECK(one.session == "als_lines");
    CHECK(one.receipt.has_value() == (one.event == "decision"));
    if (one.receipt) CHECK(*one.receipt == Check::kVerifies);
  }
}

TEST_CASE("a fault is said at its line, and what follows proves nothing", "[unit]") {
  const SigningKey key = test_key();
  auto lines = session(key);
  lines.erase(lines.begin() + 2);
  const auto said = said_of(joined(lines), key);
  REQUIRE(said.size() == 6);
  CHECK(said[1].state == LineState::kHolds);
  CHECK(said[2].state == LineState::kFaulty);
  CHECK(said[2].fault == FaultKind::kRemovedLine);
  CHECK(said[3].state == LineState::kUnproven);
  CHECK(said[5].state == LineState::kUnproven);
  // A receipt stands for itself, also where its chain is broken.
  for (const std::size_t at : {1U, 2U, 3U, 4U}) CHECK(said[at].receipt == Check::kVerifies);
}

TEST_CASE("a receipt changed behind a fault is bad by itself", "[unit]") {
  const SigningKey key = test_key();
  auto lines = session(key);
  lines.erase(lines.begin() + 2);
  const std::size_t at = lines[3].rfind("\"decision\":\"allow\"");
  lines[3].replace(at, 18, "\"decision\":\"deny!\"");
  const auto said = said_of(joined(lines), key);
  CHECK(said[2].receipt == Check::kVerifies);
  CHECK(said[3].receipt == Check::kBad);
}

TEST_CASE("a session under a foreign key has no receipt of ours", "[unit]") {
  const SigningKey mine = test_key();
  const SigningKey theirs = test_key(100);
  const auto said = said_of(joined(session(theirs)), mine);
  CHECK(said[0].fault == FaultKind::kForeignKey);
  CHECK(said[1].receipt == Check::kBad);
}

TEST_CASE("torn lines, lines of nothing and lines without end are told apart", "[unit]") {
  const SigningKey key = test_key();
  auto lines = session(key);
  lines.pop_back();
  const std::string cut = lines.back().substr(0, 100);
  lines.pop_back();
  const auto said =
      said_of("nothing\n" + std::string(17U << 20U, 'x') + '\n' + joined(lines) + cut, key);
  REQUIRE(said.size() == 8);
  CHECK(said[0].fault == FaultKind::kNoLogLine);
  CHECK(said[1].fault == FaultKind::kNoLogLine);
  CHECK(said[2].state == LineState::kHolds);
  CHECK(said[7].state == LineState::kTorn);
  CHECK(said[7].session == "als_lines");
}

TEST_CASE("a session's name has a bound, so that hostile names are not kept", "[unit]") {
  const SigningKey key = test_key();
  const std::string line = "{\"session\":\"" + std::string(200, 'x') +
                           "\",\"seq\":0,\"ts\":1,\"event\":\"a\",\"prev\":\"b\"}\n";
  const auto said = said_of(line, key);
  REQUIRE(said.size() == 1);
  CHECK(said[0].fault == FaultKind::kChangedLine);
  CHECK(said[0].session.empty());
}
