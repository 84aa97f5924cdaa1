#include <cstdlib>
#include <functional>
#include <optional>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "agentlock/log_line.hpp"
#include "cli/verify.hpp"
#include "unit/agentlock/log_support.hpp"

// Whatever is wrong with a log, `verify` names its kind and its exact place, in both
// forms, and ends with the documented exit code.

using namespace agentlock;
using namespace agentlock::test;

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kA = "als_aaaaaaaaaaaaaaaaaaaaaaaaaaa";
constexpr const char* kB = "als_bbbbbbbbbbbbbbbbbbbbbbbbbbb";

std::string member_of(const std::string& line, std::string_view name) {
  return string_member(*parse_json(line), name);
}

/// The line with a hash that is right for it, as anybody can compute it.
std::string rehashed(std::string line) {
  const std::string prev = member_of(line, "prev");
  line = line.substr(0, line.rfind(",\"hash\""));
  std::string hash;
  close_line(line, prev, hash);
  line.pop_back();
  return line;
}

std::string replaced(std::string line, std::string_view from, std::string_view to) {
  const std::size_t at = line.find(from);
  REQUIRE(at != std::string::npos);
  return line.replace(at, from.size(), to);
}

/// All later lines of that line's session put on the chain again, without a key.
void chain_again(Lines& lines, std::size_t from) {
  const std::string session = member_of(lines[from], "session");
  std::string hash;
  for (std::size_t i = from; i < lines.size(); ++i) {
    if (member_of(lines[i], "session") != session) continue;
    if (!hash.empty()) lines[i] = replaced(lines[i], member_of(lines[i], "prev"), hash);
    lines[i] = rehashed(lines[i]);
    hash = member_of(lines[i], "hash");
  }
}

/// Two sessions that share a log, and what their heads file remembers of them:
///
///   line     1   2   3   4   5   6   7   8   9   10   11
///   session  A   A   B   A   B   A   B   A   B   A    B
///   seq      0   1   0   2   1   3   2   4   3   5    4
///            start               signed          end
struct World {
  TempFolder home;
  SigningKey key = test_key();
  SigningKey other = test_key(100);
  ModelClock clock;
  std::filesystem::path log = home / "log";
  /// `key.pub` with and without the heads file beside it.
  std::filesystem::path with_heads = home / "state" / "key.pub";
  std::filesystem::path alone = home / "alone" / "key.pub";

  World() {
    for (const auto& file : {with_heads, alone}) {
      std::filesystem::create_directory(file.parent_path());
      ::chmod(file.parent_path().c_str(), 0700);
      write_file(file, key.public_key_hex() + '\n');
    }
  }

  DecisionLog writer(const char* session, const SigningKey& by) {
    return DecisionLog({.path = log,
                        .heads = &by == &key ? with_heads.parent_path() / "heads" : "",
                        .session = session,
                        .key = &by,
                        .clock = &clock,
                        .sink = system_file_sink()},
                       ModelLog::start());
  }

  Lines write(const SigningKey& by) {
    std::filesystem::remove(log);
    DecisionLog a = writer(kA, by);
    DecisionLog b = writer(kB, by);
    const auto decide = [&](DecisionLog& to, const char* decision) {
      REQUIRE(to.append("decision", decision_fields(by, decision)));
    };
    decide(a, "allow");
    decide(b, "deny");
    // B's start and first decision came in one; between them stands a line of A.
    decide(a, "deny");
    clock.advance(6);
    REQUIRE(*a.checkpoint_if_due());
    REQUIRE(*b.checkpoint_if_due());
    decide(a, "allow");
    decide(b, "allow");
    REQUIRE(a.end(Json::object()));
    REQUIRE(b.end(Json::object()));
    Lines lines = lines_of(read_file(log));
    REQUIRE(lines.size() == 11);
    std::swap(lines[3], lines[4]);
    return lines;
  }
};

struct Case {
  const char* name;
  std::function<std::string(World&, Lines)> bytes;
  int code;
  const char* kind = nullptr;  ///< null where there is no fault
  std::uint64_t line = 0;
  const char* session = "";
  std::optional<std::uint64_t> seq = std::nullopt;
  bool heads = false;  ///< the heads file is there
};

std::string without(Lines lines, std::size_t line) {
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line) - 1);
  return joined(lines);
}

std::string with(Lines lines, std::size_t before, std::string line) {
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(before) - 1, std::move(line));
  return joined(lines);
}

/// A line that nobody signed: A's with that seq, right behind `before` in the chain.
std::string forged(const std::string& before, std::uint64_t seq) {
  Json line = *parse_json(before);
  Json own = {{"session", kA},      {"seq", seq},        {"ts", line["ts"]},
              {"iso", line["iso"]}, {"event", "egress"}, {"prev", line["hash"]}};
  std::string text = open_line(own);
  std::string hash;
  close_line(text, string_member(line, "hash"), hash);
  text.pop_back();
  return text;
}

const std::vector<Case> kCases = {
    {"whole, with lines of two sessions in turn",
     [](World&, const Lines& lines) { return joined(lines); }, 0},
    {"the same with its heads",
     [](World&, const Lines& lines) { return joined(lines); },
     0,
     nullptr,
     0,
     "",
     {},
     true},
    {"a changed line",
     [](World&, Lines lines) {
       lines[3] = replaced(lines[3], "http://evil", "http://evix");
       return joined(lines);
     },
     1, "changed_line", 4, kA, 2},
    {"a changed line with a new hash",
     [](World&, Lines lines) {
       lines[3] = rehashed(replaced(lines[3], "\"PAGE\"", "\"USER\""));
       return joined(lines);
     },
     1, "broken_link", 6, kA, 3},
    {"a changed line, and the chain behind it made anew",
     [](World&, Lines lines) {
       lines[3] = replaced(lines[3], "\"PAGE\"", "\"USER\"");
       chain_again(lines, 3);
       return joined(lines);
     },
     1, "bad_signature", 6, kA, 3},
    {"a denial turned into an allow behind the last signature",
     [](World&, Lines lines) {
       lines[8] = replaced(lines[8], "\"decision\":\"allow\"", "\"decision\":\"deny\"");
       chain_again(lines, 8);
       lines.resize(10);
       return joined(lines);
     },
     1, "contradiction", 9, kB, 3},
    {"a removed line", [](World&, const Lines& lines) { return without(lines, 4); }, 1,
     "removed_line", 5, kA, 3},
    {"a removed beginning", [](World&, const Lines& lines) { return without(lines, 3); }, 1,
     "removed_line", 4, kB, 1},
    {"two lines swapped",
     [](World&, Lines lines) {
       std::swap(lines[1], lines[3]);
       return joined(lines);
     },
     1, "swapped_lines", 2, kA, 2},
    {"a line twice", [](World&, const Lines& lines) { return with(lines, 5, lines[3]); }, 1,
     "repeated_line", 5, kA, 2},
    {"a line twice, far apart", [](World&, const Lines& lines) { return with(lines, 9, lines[1]); },
     1, "repeated_line", 9, kA, 1},
    {"a line put in before the one whose place it takes",
     [](World&, const Lines& lines) { return with(lines, 3, forged(lines[1], 2)); }, 1,
     "inserted_line", 3, kA, 2},
    {"a line put in behind the one whose place it takes",
     [](World&, const Lines& lines) { return with(lines, 5, forged(lines[1], 2)); }, 1,
     "inserted_line", 5, kA, 2},
    {"a line put in whose number fits but not its link",
     [](World&, const Lines& lines) { return with(lines, 5, forged(lines[1], 3)); }, 1,
     "broken_link", 5, kA, 3},
    {"a cut tail",
     [](World&, Lines lines) {
       lines.resize(9);
       return joined(lines);
     },
     3},
    {"a cut tail, by the heads",
     [](World&, Lines lines) {
       lines.resize(9);
       return joined(lines);
     },
     1, "cut_tail", 8, kA, 4, true},
    {"a torn last line",
     [](World&, const Lines& lines) {
       const std::string text = joined(lines);
       return text.substr(0, text.size() - 40);
     },
     3},
    {"a torn last line, by the heads",
     [](World&, const Lines& lines) {
       const std::string text = joined(lines);
       return text.substr(0, text.size() - 40);
     },
     1, "cut_tail", 9, kB, 3, true},
    {"a torn line in the middle",
     [](World&, Lines lines) {
       lines[3].resize(200);
       return joined(lines);
     },
     1, "changed_line", 4, kA, 2},
    {"a line broken in two",
     [](World&, Lines lines) {
       lines[3][150] = '\n';
       return joined(lines);
     },
     1, "changed_line", 4, kA, 2},
    {"another's key", [](World& world, const Lines&) { return joined(world.write(world.other)); },
     1, "foreign_key", 1, kA, 0},
    {"signed anew with another key, under the name of ours",
     [](World& world, const Lines&) {
       Lines lines = world.write(world.other);
       for (const std::size_t start : {0U, 2U}) {
         lines[start] =
             replaced(lines[start], world.other.public_key_hex(), world.key.public_key_hex());
         lines[start] = replaced(lines[start], world.other.key_id(), world.key.key_id());
         chain_again(lines, start);
       }
       return joined(lines);
     },
     1, "bad_receipt", 2, kA, 1},
    {"a receipt that was used before",
     [](World& world, const Lines&) {
       const Json fields = decision_fields(world.key);
       ModelFile file;
       ModelLog a(file, world.key, world.clock, kA);
       REQUIRE(a.log.append("decision", fields));
       REQUIRE(a.log.end(Json::object()));
       ModelLog b(file, world.key, world.clock, kB);
       REQUIRE(b.log.append("egress", Json::object()));
       REQUIRE(b.log.append("decision", fields));
       REQUIRE(b.log.end(Json::object()));
       return file.bytes;
     },
     1, "reused_receipt", 6, kB, 2},
    {"a session cut out",
     [](World&, const Lines& lines) {
       Lines rest;
       for (const std::string& line : lines) {
         if (member_of(line, "session") != kB) rest.push_back(line);
       }
       return joined(rest);
     },
     1,
     "missing_session",
     0,
     kB,
     {},
     true},
    {"two sessions of one name, one after the other",
     [](World& world, const Lines& lines) {
       ModelFile file;
       ModelLog again(file, world.key, world.clock, kA);
       REQUIRE(again.decide());
       REQUIRE(again.log.end(Json::object()));
       return joined(lines) + file.bytes;
     },
     1, "after_end", 12, kA, 0},
    {"two sessions of one name at once",
     [](World& world, const Lines& lines) {
       ModelFile file;
       ModelLog again(file, world.key, world.clock, kA);
       REQUIRE(again.decide());
       return with(lines, 5, lines_of(file.bytes)[0]);
     },
     1, "repeated_line", 5, kA, 0},
    {"a line behind session_end",
     [](World&, const Lines& lines) { return joined(lines) + forged(lines[9], 6) + '\n'; }, 1,
     "after_end", 12, kA, 6},
    {"the checkpoint of another session",
     [](World&, Lines lines) {
       for (const char* name : {"signature", "seal"}) {
         lines[5] = replaced(lines[5], member_of(lines[5], name), member_of(lines[6], name));
       }
       lines[5] = rehashed(lines[5]);
       return joined(lines);
     },
     1, "bad_signature", 6, kA, 3},
    {"the whole line of another session's checkpoint",
     [](World&, Lines lines) {
       lines[5] = lines[6];
       return joined(lines);
     },
     1, "repeated_line", 7, kB, 2},
    {"a session_end made of a checkpoint",
     [](World&, Lines lines) {
       lines[5] = rehashed(replaced(lines[5], "\"checkpoint\"", "\"session_end\""));
       return joined(lines);
     },
     1, "bad_signature", 6, kA, 3},
    {"bytes that are no UTF-8 in a line",
     [](World&, Lines lines) {
       lines[3] = replaced(lines[3], "evil", "ev\xFFl");
       return joined(lines);
     },
     1, "changed_line", 4, kA, 2},
    {"a line of bytes", [](World&, const Lines& lines) { return with(lines, 4, "\xFE\xFF\x80"); },
     1, "no_log_line", 4},
    {"NUL bytes", [](World&, const Lines&) { return std::string(5000, '\0'); }, 1, "no_log_line",
     1},
    {"line ends of another system",
     [](World&, Lines lines) {
       lines[3] += '\r';
       return joined(lines);
     },
     1, "changed_line", 4, kA, 2},
    {"a line of 100 MB",
     [](World&, const Lines& lines) {
       return with(lines, 6,
                   "{\"session\":\"" + std::string(kA) + "\",\"seq\":3,\"x\":\"" +
                       std::string(std::size_t{100} << 20U, 'x') + "\"}");
     },
     1, "no_log_line", 6, kA},
    {"an empty file", [](World&, const Lines&) { return std::string(); }, 3},
    {"an empty file, by the heads",
     [](World&, const Lines&) { return std::string(); },
     1,
     "missing_session",
     0,
     kA,
     {},
     true},
};

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run(std::vector<std::string> args) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::verify_command(args, out, err);
  return {code, out.str(), err.str()};
}

std::string place_in_words(const Case& one) {
  std::string words = std::string("first fault: ") + one.kind;
  if (one.line > 0) words += " at line " + std::to_string(one.line);
  return words;
}

void check(World& world, const Lines& lines, const Case& one) {
  const std::string bytes = one.bytes(world, lines);
  write_file(world.log, bytes);
  const std::string key = (one.heads ? world.with_heads : world.alone).string();
  const Outcome text = run({world.log.string(), "--key", key});
  const Outcome machine = run({world.log.string(), "--key", key, "--json"});
  INFO(one.name << "\n" << text.out << text.err << machine.out);
  CHECK(text.code == one.code);
  CHECK(machine.code == one.code);
  const Json report = *parse_json(machine.out);
  CHECK(report["exit_code"] == one.code);
  const Json& fault = report["first_fault"];
  REQUIRE(fault.is_null() == (one.kind == nullptr));
  if (one.kind == nullptr) {
    CHECK(text.out.find("fault") == std::string::npos);
    return;
  }
  CHECK(fault["kind"] == one.kind);
  CHECK(fault["line"] == one.line);
  CHECK(fault["session"] == one.session);
  CHECK(fault["seq"] == (one.seq ? Json(*one.seq) : Json()));
  CHECK(text.out.find(place_in_words(one)) != std::string::npos);
  if (*one.session != 0) {
    CHECK(text.out.find(std::string("session ") + one.session) != std::string::npos);
  }
  if (one.seq) CHECK(text.out.find(", seq " + std::to_string(*one.seq)) != std::string::npos);
  if (one.line == 0) return;
  // The byte is where that line begins.
  std::size_t begin = 0;
  for (std::uint64_t line = 1; line < one.line; ++line) begin = bytes.find('\n', begin) + 1;
  CHECK(fault["byte"] == begin);
}

}  // namespace

TEST_CASE("each fault of a log is told with its kind, its place and its exit code", "[unit]") {
  World world;
  const Lines lines = world.write(world.key);
  for (const Case& one : kCases) check(world, lines, one);
}

TEST_CASE("of a torn line the report says whose it is", "[unit]") {
  World world;
  const std::string text = joined(world.write(world.key));
  write_file(world.log, text.substr(0, text.size() - 40));
  const Outcome outcome = run({world.log.string(), "--key", world.alone.string(), "--json"});
  const Json report = *parse_json(outcome.out);
  CHECK(report["torn"] == Json::array({11}));
  REQUIRE(report["unfinished"].size() == 1);
  CHECK(report["unfinished"][0]["session"] == kB);
  CHECK(report["unfinished"][0]["torn_line"] == 11);
  CHECK(report["unfinished"][0]["last_line"] == 9);
  CHECK(report["unfinished"][0]["vouched_seq"] == 2);
  const Outcome words = run({world.log.string(), "--key", world.alone.string()});
  CHECK(words.out.find("signed up to seq 2; its line 11 is torn\n") != std::string::npos);
}

TEST_CASE("what is no file is no log, and nothing waits for it", "[unit]") {
  World world;
  world.write(world.key);
  std::string path = (world.home / "there").string();
  SECTION("a folder") { std::filesystem::create_directory(path); }
  SECTION("a FIFO that nobody writes to") { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }
  SECTION("a device") { path = "/dev/null"; }
  SECTION("a device without end") { path = "/dev/zero"; }
  SECTION("nothing") {}
  for (const std::string& form : {"--json", "words"}) {
    std::vector<std::string> args = {path, "--key", world.alone.string()};
    if (form == "--json") args.push_back(form);
    const Outcome outcome = run(args);
    CHECK(outcome.code == 5);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find(path) != std::string::npos);
  }
}

TEST_CASE("a heads file or key that is no file is an error, and nothing waits for it", "[unit]") {
  World world;
  world.write(world.key);
  std::filesystem::path named = world.with_heads;
  SECTION("the heads") {
    const auto heads = world.with_heads.parent_path() / "heads";
    std::filesystem::remove(heads);
    SECTION("a FIFO") { REQUIRE(::mkfifo(heads.c_str(), 0600) == 0); }
    SECTION("a folder") { std::filesystem::create_directory(heads); }
  }
  SECTION("the key") {
    named = world.home / "key";
    SECTION("a FIFO") { REQUIRE(::mkfifo(named.c_str(), 0600) == 0); }
    SECTION("a folder") { std::filesystem::create_directory(named); }
  }
  CHECK(run({world.log.string(), "--key", named.string()}).code == 5);
}
