#include "cli/verify.hpp"

#include <cstdlib>
#include <optional>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "cli/state_folder.hpp"
#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;
using agentlock::cli::signing_key_in;

namespace {

/// Sets a variable of the environment for as long as it lives; null removes it.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ~ScopedVariable() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

/// A user with a state folder and a log of one finished session.
struct User {
  TempFolder home;
  ScopedVariable state{"XDG_STATE_HOME", home.path().c_str()};
  ScopedVariable named{"AGENTLOCK_BROWSER_SIGNING_KEY", nullptr};
  std::filesystem::path folder = home / "agentlock-browser";
  std::filesystem::path log = home / "log";
  ModelClock clock;
  std::optional<SigningKey> key;

  User() {
    REQUIRE(ensure_state_folder(folder));
    key = std::move(*SigningKey::load_or_create(signing_key_in(folder)));
    DecisionLog writer = open();
    REQUIRE(writer.append("decision", decision_fields(*key, "deny")));
    REQUIRE(writer.end(Json::object()));
  }

  DecisionLog open() {
    return DecisionLog({.path = log,
                        .heads = heads_beside(signing_key_in(folder)),
                        .session = new_session_id(),
                        .key = &*key,
                        .clock = &clock,
                        .sink = system_file_sink()},
                       ModelLog::start());
  }
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
  const std::string named = signing_key_in(user.folder).string();
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
  const auto pub = public_half_beside(signing_key_in(user.folder)).string();
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
  CHECK(run({user.log.string(), "--key", signing_key_in(user.folder).string()}).code == 1);
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
