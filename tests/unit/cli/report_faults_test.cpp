#include <functional>

#include <catch2/catch.hpp>

#include "agentlock/log_line.hpp"
#include "cli/state_folder.hpp"
#include "unit/cli/report_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

// A log with each kind of fault: the page says which and where, marks the place, shows
// what can be read all the same, and the exit code is verify's.

namespace {

using Lines = std::vector<std::string>;

/// The line with other members and a hash that is right for it.
std::string rewritten(const std::string& line, const std::function<void(Json&)>& change) {
  Json json = *parse_json(line);
  const std::string prev = string_member(json, "prev");
  json.erase("hash");
  change(json);
  std::string text = open_line(json);
  std::string hash;
  close_line(text, prev, hash);
  text.pop_back();
  return text;
}

/// Two sessions of four decisions each, with the heads that they left.
struct FaultyLog : User {
  Lines lines;

  FaultyLog() {
    std::filesystem::remove(log);
    std::filesystem::remove(heads_beside(agentlock::cli::signing_key_in(folder)));
    for (int i = 0; i < 2; ++i) {
      DecisionLog writer = open();
      for (int j = 0; j < 4; ++j) REQUIRE(writer.append("decision", a_decision(*key)));
      REQUIRE(writer.end(Json::object()));
      clock.advance(60);
    }
    lines = lines_of(read_file(log));
    REQUIRE(lines.size() == 12);
  }

  static Json a_decision(const SigningKey& by) {
    Json fields = decision_fields(by, "deny");
    fields["action"] = "browser.navigate";
    fields["parameters"] = {{"url", "http://evil.test/x"}};
    fields["decision"] = "deny";
    fields["channel"] = "PAGE";
    fields["reason"] = "param_lineage";
    return fields;
  }
};

struct Case {
  const char* kind;
  std::function<void(FaultyLog&)> break_it;
};

const Case kCases[] = {
    {"changed_line", [](FaultyLog& f) { f.lines[2][f.lines[2].find("evil")] = 'E'; }},
    {"removed_line", [](FaultyLog& f) { f.lines.erase(f.lines.begin() + 2); }},
    {"swapped_lines", [](FaultyLog& f) { std::swap(f.lines[2], f.lines[3]); }},
    {"repeated_line", [](FaultyLog& f) { f.lines.insert(f.lines.begin() + 3, f.lines[2]); }},
    {"broken_link",
     [](FaultyLog& f) {
       f.lines[2] = rewritten(f.lines[2], [](Json& json) { json["channel"] = "USER"; });
     }},
    {"bad_signature",
     [](FaultyLog& f) {
       f.lines[5] = rewritten(f.lines[5], [](Json& json) { json["why"] = "another"; });
     }},
    {"foreign_key",
     [](FaultyLog& f) {
       ModelFile file;
       const SigningKey other = test_key(100);
       ModelLog log(file, other, f.clock);
       REQUIRE(log.log.append("decision", FaultyLog::a_decision(other)));
       REQUIRE(log.log.end(Json::object()));
       const Lines foreign = lines_of(file.bytes);
       f.lines.insert(f.lines.end(), foreign.begin(), foreign.end());
     }},
    {"bad_receipt",
     [](FaultyLog& f) {
       f.lines[2] =
           rewritten(f.lines[2], [](Json& json) { json["receipt"]["decision"] = "allow"; });
     }},
    {"reused_receipt",
     [](FaultyLog& f) {
       ModelFile file;
       ModelLog log(file, *f.key, f.clock);
       const Json fields = FaultyLog::a_decision(*f.key);
       REQUIRE(log.log.append("decision", fields));
       REQUIRE(log.log.append("decision", fields));
       REQUIRE(log.log.end(Json::object()));
       const Lines more = lines_of(file.bytes);
       f.lines.insert(f.lines.end(), more.begin(), more.end());
     }},
    {"after_end", [](FaultyLog& f) { f.lines.insert(f.lines.begin() + 6, f.lines[1]); }},
    {"time_backwards",
     [](FaultyLog& f) {
       f.lines[2] = rewritten(f.lines[2], [](Json& json) { json["ts"] = 1.5; });
     }},
    {"no_log_line", [](FaultyLog& f) { f.lines.insert(f.lines.begin() + 2, "\x1b[2Jhello"); }},
    {"cut_tail", [](FaultyLog& f) { f.lines.resize(9); }},
    {"missing_session", [](FaultyLog& f) { f.lines.resize(6); }},
};

}  // namespace

TEST_CASE("a log with a fault of any kind shows which and where", "[unit]") {
  for (const Case& one : kCases) {
    DYNAMIC_SECTION(one.kind) {
      FaultyLog faulty;
      one.break_it(faulty);
      write_file(faulty.log, joined(faulty.lines));

      std::ifstream in(faulty.log, std::ios::binary);
      VerifyOptions options;
      options.key = faulty.key->public_key();
      options.heads = heads_beside(agentlock::cli::signing_key_in(faulty.folder));
      options.log = faulty.log;
      const auto verified = verify_log(in, options);
      REQUIRE(verified);
      REQUIRE(verified->first_fault);
      CHECK(to_string(verified->first_fault->kind) == one.kind);
      const std::uint64_t line = verified->first_fault->line;

      const Reported reported = report_of(faulty.log);
      CHECK(reported.code == 1);
      const std::string text = text_of(reported.page);
      INFO(text);
      CHECK(has(text, "✗ Broken"));
      const std::string at = line > 0 ? " at line " + std::to_string(line) : "";
      CHECK(has(text, "First fault: " + std::string(one.kind) + at));
      CHECK(has(text, verified->first_fault->detail));
      CHECK(has(reported.said, std::string("first fault: ") + one.kind));
      // Nothing can be pointed at of what is not there at all.
      if (line > 0) {
        CHECK(count_of(reported.page, "id=\"l" + std::to_string(line) + "\"") == 1);
        CHECK(has(reported.page, "href=\"#l" + std::to_string(line) + "\""));
      }
      // Everything that can be read is there.
      std::size_t readable = 0;
      for (const std::string& one_line : faulty.lines) {
        if (has(one_line, "\"event\":\"decision\"")) ++readable;
      }
      CHECK(count_of(reported.page, "<h3>Open an address</h3>") == readable);
    }
  }
}

TEST_CASE("each line behind a fault says that it is unproven, and its receipt stands", "[unit]") {
  FaultyLog faulty;
  faulty.lines.erase(faulty.lines.begin() + 2);
  write_file(faulty.log, joined(faulty.lines));
  const std::string page = report_of(faulty.log).page;
  const std::string text = text_of(page);
  CHECK(count_of(page, "<span class=\"badge wrong\">fault: removed_line</span>") == 1);
  CHECK(count_of(text, "unproven: behind a fault") == 1);
  CHECK(count_of(text, "✓ verifies") == 7);
}

TEST_CASE("a receipt that the key did not sign is marked at its decision", "[unit]") {
  FaultyLog faulty;
  faulty.lines[3] =
      rewritten(faulty.lines[3], [](Json& json) { json["receipt"]["reason"] = "none"; });
  write_file(faulty.log, joined(faulty.lines));
  const std::string text = text_of(report_of(faulty.log).page);
  CHECK(count_of(text, "✗ does not verify") == 1);
  CHECK(count_of(text, "✓ verifies") == 7);
  CHECK(count_of(text, "The line and its receipt differ in: reason.") == 1);
}

TEST_CASE("a torn line is shown in its session and is no fault", "[unit]") {
  FaultyLog faulty;
  DecisionLog writer = faulty.open();
  REQUIRE(writer.append("decision", FaultyLog::a_decision(*faulty.key)));
  write_file(faulty.log, read_file(faulty.log) + "{\"session\":\"" + writer.session() + "\",\"se");
  const Reported reported = report_of(faulty.log);
  CHECK(reported.code == 3);
  const std::string text = text_of(reported.page);
  CHECK(has(text, "! Unfinished"));
  CHECK(has(text, "1 session has no end, 1 line torn."));
  CHECK(count_of(text, "A line that can't be read") == 1);
  CHECK(count_of(reported.page, "<span class=\"badge care\">torn</span>") == 1);
  CHECK(count_of(text, "not signed yet") == 1);
}

TEST_CASE("evidence that cites a text which the log does not hold before it is told", "[unit]") {
  User user;
  DecisionLog writer = user.open();
  Json fields = FaultyLog::a_decision(*user.key);
  fields["lineage_evidence"] = {{"gate", "param_lineage"},
                                {"untrusted_provenance_id", "cprov_0000000000000001"}};
  REQUIRE(writer.append("decision", fields));
  REQUIRE(writer.append("provenance", {{"provenance_id", "cprov_0000000000000001"},
                                       {"channel", "PAGE"},
                                       {"source", "snapshot"},
                                       {"origin", "http://fixture.test"}}));
  REQUIRE(writer.end(Json::object()));
  CHECK(count_of(text_of(report_of(user.log).page), "is not in the log before it.") == 1);
}
