#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "cli/state_folder.hpp"
#include "unit/agentlock/log_support.hpp"

namespace agentlock::test {

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
    key = std::move(*SigningKey::load_or_create(agentlock::cli::signing_key_in(folder)));
    DecisionLog writer = open();
    REQUIRE(writer.append("decision", decision_fields(*key, "deny")));
    REQUIRE(writer.end(Json::object()));
  }

  DecisionLog open() {
    return DecisionLog({.path = log,
                        .heads = heads_beside(agentlock::cli::signing_key_in(folder)),
                        .session = new_session_id(),
                        .key = &*key,
                        .clock = &clock,
                        .sink = system_file_sink()},
                       ModelLog::start());
  }
};

}  // namespace agentlock::test
