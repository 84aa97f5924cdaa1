#include <csignal>
#include <fstream>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agentlock/clock.hpp"
#include "agentlock/file_sink.hpp"
#include "agentlock/verify.hpp"
#include "support/failing_new.hpp"
#include "tools/recorder.hpp"
#include "unit/agentlock/log_support.hpp"
#include "unit/tools/model_session.hpp"

// Each allocation of a short session fails in turn, in a process of its own. Whatever
// was under way: no action passes that the log does not hold, no text reaches the
// client that neither the log knows nor a shut gate makes harmless, and what stands in
// the log proves itself (attacks.md A31). That the process ends is allowed: a JSON
// value needs memory to be destroyed, and the standard then knows nothing but the end.

namespace agentlock::tools {
namespace {

using agentlock::test::FailingNew;

const Origin kPage = *Origin::parse_entry("https://page.test");

/// One session in a process that tells, line by line, what the client got of it.
class Session {
 public:
  Session(const SigningKey& key, const std::filesystem::path& log, int told)
      : told_(told), recorder_(setup(key, log), ledger_) {}

  void run() {
    attempt([&] { recorder_.record_operator("Open https://mine.test/ please."); });
    read("the_first_page");
    act("https://mine.test/1");
    read("the_second_page");
    act("https://mine.test/2");
  }
  void end() { recorder_.end("end of input"); }

  /// No action can pass any more, by the ledger or by the log.
  bool shut() {
    return ledger_.broken() ||
           !recorder_.decide({"browser.type", "value", "x", ""}, allowed()).allowed();
  }

 private:
  Recorder::Setup setup(const SigningKey& key, const std::filesystem::path& log) {
    DecisionLog::Setup to{.path = log,
                          .heads = {},
                          .session = "als_memory",
                          .key = &key,
                          .clock = &clock_,
                          .sink = system_file_sink()};
    return {.log = std::make_unique<DecisionLog>(std::move(to), Json{{"version", "0.1.0"}}),
            .key = &key,
            .method = SigningMethod::kEd25519,
            .role = "operator",
            .policy_hash = std::string(64, 'a'),
            .log_page_text = true};
  }

  static Verdict allowed() {
    Verdict verdict;
    verdict.decision = Decision::kAllow;
    verdict.channel = Channel::kUser;
    return verdict;
  }

  template <typename Step>
  void attempt(Step step) {
    try {
      step();
    } catch (const std::bad_alloc&) {
    }
  }

  void tell(std::string_view word) {
    if (::write(told_, word.data(), word.size()) < 0 || ::write(told_, "\n", 1) < 0) ::_exit(2);
  }

  void read(const char* title) {
    attempt([&] {
      Draft draft = Draft::object();
      draft.set("title", PageText(title, kPage));
      if (recorder_.hand_over(draft, "snapshot")) tell(title);
    });
  }

  void act(const char* url) {
    attempt([&] {
      const Decided decided = recorder_.decide({"browser.navigate", "url", url, url}, allowed());
      if (decided.allowed()) tell(decided.receipt_id);
    });
  }

  int told_;
  test::ModelClock clock_;
  Ledger ledger_;
  Recorder recorder_;
};

enum class End { kWhole, kFailed, kFailedAndShut, kDied };

/// What came of a session whose allocation of that number failed.
struct Run {
  End end = End::kDied;
  std::vector<std::string> told;
};

Run run_with_failure(std::size_t number, const SigningKey& key, const std::filesystem::path& log) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGABRT, SIG_DFL);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    Session session(key, log, ends[1]);
    bool failed = false;
    {
      const FailingNew failing(number);
      session.run();
      failed = failing.happened();
    }
    const bool shut = session.shut();
    session.end();
    ::_exit(!failed ? 10 : shut ? 12 : 11);
  }
  ::close(ends[1]);
  Run run;
  std::string words;
  char piece[512];
  for (ssize_t got = 0; (got = ::read(ends[0], piece, sizeof piece)) > 0;) {
    words.append(piece, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) run.told.push_back(line);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) {
    REQUIRE(WTERMSIG(status) == SIGABRT);
    return run;
  }
  REQUIRE(WEXITSTATUS(status) >= 10);
  run.end = static_cast<End>(WEXITSTATUS(status) - 10);
  return run;
}

}  // namespace

TEST_CASE("if a session runs out of memory anywhere, its log and its ledger keep faith", "[unit]") {
  const SigningKey key = test::ModelSession::made_key();
  const agentlock::test::TempFolder folder;
  const std::filesystem::path log = folder.path() / "log";
#if __has_feature(address_sanitizer)
  constexpr std::size_t kStride = 17;  // a fork takes a tenth of a second there
#else
  constexpr std::size_t kStride = 1;
#endif
  std::map<End, std::size_t> ends;
  for (std::size_t number = 0; ends[End::kWhole] == 0; number += kStride) {
    REQUIRE(number < 5'000);
    std::filesystem::remove(log);
    const Run run = run_with_failure(number, key, log);
    ++ends[run.end];
    std::ifstream file(log, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    VerifyOptions options;
    options.key = key.public_key();
    std::istringstream in(bytes);
    const VerifyReport report = *verify_log(in, options);
    INFO("allocation " << number << ", " << to_json(report).dump());
    REQUIRE_FALSE(report.first_fault);
    for (const std::string& word : run.told) {
      INFO(word);
      const bool page = !word.starts_with("rcpt_");
      const bool logged = bytes.find(word) != std::string::npos;
      REQUIRE((logged || (page && run.end != End::kFailed)));
    }
    if (run.end == End::kWhole) {
      REQUIRE(report.verdict == LogVerdict::kVerified);
      REQUIRE(run.told.size() == 4);
    }
  }
  CHECK(ends[End::kFailed] * kStride > 50);
  CHECK(ends[End::kFailedAndShut] * kStride > 50);
}

}  // namespace agentlock::tools
