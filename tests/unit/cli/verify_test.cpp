#include "cli/verify.hpp"

#include <catch2/catch.hpp>

#include "cli/state_folder.hpp"
#include "unit/agentlock/log_support.hpp"
#include "unit/cli/log_user.hpp"

using namespace agentlock;
using namespace agentlock::test;
using agentlock::cli::signing_key_in;

namespace {

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

}  // namespace

TEST_CASE("verify exits 0 for a whole log under the user's own key", "[unit]") {
  User user;
  const Outcome outcome = run({user.log.string()});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find(": verified\n") != std::string::npos);
  CHECK(outcome.out.find("3 lines, 1 session, 1 signature, 1 receipt (0 allowed, 1 denied)") !=
        std::string::npos);
}

TEST_CASE("verify takes the key that the environment names", "[unit]") {
  User user;
  const std::string named = agentlock::cli::signing_key_in(user.folder).string();
  const ScopedVariable state("XDG_STATE_HOME", "/nonexistent");
  CHECK(run({user.log.string()}).code == 4);
  const ScopedVariable key("AGENTLOCK_BROWSER_SIGNING_KEY", named.c_str());
  CHECK(run({user.log.string()}).code == 0);
}

TEST_CASE("verify exits 1 for a broken log and names the place", "[unit]") {
  User user;
  auto lines = lines_of(read_file(user.log));
  lines.erase(lines.begin() + 1);
  write_file(user.log, joined(lines));
  const Outcome outcome = run({user.log.string()});
  CHECK(outcome.code == 1);
  CHECK(outcome.out.find("first fault: removed_line at line 2 (byte ") != std::string::npos);
}

TEST_CASE("verify exits 2 for a call that it can't read", "[unit]") {
  const auto args =
      GENERATE(std::vector<std::string>{}, std::vector<std::string>{"--json"},
               std::vector<std::string>{"a", "b"}, std::vector<std::string>{"a", "--key"},
               std::vector<std::string>{"a", "--wrong"});
  const Outcome outcome = run(args);
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("usage: "));
}

TEST_CASE("verify exits 3 for a session that has not ended", "[unit]") {
  User user;
  DecisionLog writer = user.open();
  REQUIRE(writer.append("decision", decision_fields(*user.key)));
  const Outcome outcome = run({user.log.string()});
  CHECK(outcome.code == 3);
  CHECK(outcome.out.find("session " + writer.session() + " is unfinished") != std::string::npos);
}

TEST_CASE("verify exits 4 for a log that only vouches for itself", "[unit]") {
  User user;
  const ScopedVariable state("XDG_STATE_HOME", "/nonexistent");
  const Outcome outcome = run({user.log.string()});
  CHECK(outcome.code == 4);
  const auto pub = public_half_beside(agentlock::cli::signing_key_in(user.folder)).string();
  CHECK(run({user.log.string(), "--key", pub}).code == 0);
}

TEST_CASE("verify exits 5 for what it can't read", "[unit]") {
  User user;
  CHECK(run({(user.home / "missing").string()}).code == 5);
  CHECK(run({user.home.path().string()}).code == 5);
  CHECK(run({user.log.string(), "--key", (user.home / "missing").string()}).code == 5);
  CHECK(run({user.log.string(), "--key", user.log.string()}).code == 5);
}

TEST_CASE("a private key is not taken for a public one", "[unit]") {
  // Whoever knows a public key could otherwise sign with it as if it were a seed.
  User user;
  CHECK(run({user.log.string(), "--key", agentlock::cli::signing_key_in(user.folder).string()})
            .code == 1);
}

TEST_CASE("verify --json gives one line with verdict, key and exit code", "[unit]") {
  User user;
  const Outcome outcome = run({"--json", user.log.string()});
  CHECK(outcome.code == 0);
  CHECK(lines_of(outcome.out).size() == 1);
  const Json json = *parse_json(outcome.out);
  CHECK(json["verdict"] == "verified");
  CHECK(json["exit_code"] == 0);
  CHECK(json["key"] == user.key->public_key_hex());
  CHECK(json["log"] == user.log.string());
}

TEST_CASE("a hostile path can't steer the terminal", "[unit]") {
  User user;
  const std::string name = "\x1b[2J\xe2\x80\xae\xc2\x9b\n\xff";
  const Outcome missing = run({(user.home / name).string()});
  std::filesystem::copy_file(user.log, user.home / name);
  const Outcome text = run({(user.home / name).string()});
  const Outcome json = run({(user.home / name).string(), "--json"});
  CHECK(missing.code == 5);
  CHECK(text.code == 0);
  CHECK(json.code == 0);
  for (const char c : missing.err + text.out + json.out) {
    REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7F)));
  }
}

TEST_CASE("a hostile log can't steer the terminal", "[unit]") {
  User user;
  const std::string hostile = "{\"session\":\"als_\x1b]0;x\x07\xc2\x9b\xe2\x80\xae\",\"seq\":0}\n";
  write_file(user.log, hostile);
  const auto flag = GENERATE(as<std::vector<std::string>>(), std::vector<std::string>{},
                             std::vector<std::string>{"--json"});
  std::vector<std::string> args = {user.log.string()};
  args.insert(args.end(), flag.begin(), flag.end());
  const Outcome outcome = run(args);
  CHECK(outcome.code == 1);
  for (const char c : outcome.out + outcome.err) {
    REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7F)));
  }
}
