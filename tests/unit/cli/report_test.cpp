#include "cli/report.hpp"

#include <csignal>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include "agentlock/sha256.hpp"
#include "base/encoding.hpp"
#include "cli/state_folder.hpp"
#include "unit/cli/report_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

namespace {

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status{};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("the page of a whole log says so and goes to a private file", "[unit]") {
  User user;
  const auto page = user.home / "report.html";
  const Reported reported = run_report({user.log.string(), "-o", page.string()});
  CHECK(reported.code == 0);
  CHECK(reported.page.empty());
  CHECK(reported.said ==
        "report: " + user.log.string() + ": verified; 1 entries shown, 0 left out\n");
  CHECK(mode_of(page) == 0600);
  const std::string text = text_of(read_file(page));
  CHECK(has(text, "✓ Verified"));
  CHECK(has(text, "Held against " + user.key->public_key_hex()));
  CHECK(has(text, "1 receipt verified."));
}

TEST_CASE("a page that is written anew takes the old one's place", "[unit]") {
  User user;
  const auto page = user.home / "report.html";
  write_file(page, std::string(1'000'000, 'x'));
  ::chmod(page.c_str(), 0644);
  const std::size_t files = files_in(user.home.path());
  CHECK(run_report({user.log.string(), "-o", page.string()}).code == 0);
  CHECK(read_file(page).starts_with("<!doctype html>"));
  CHECK(mode_of(page) == 0600);
  CHECK(files_in(user.home.path()) == files);
}

TEST_CASE("a page is not written through a link, nor over what it is made from", "[unit]") {
  User user;
  const auto target = user.home / "target";
  write_file(target, "precious");
  const auto link = user.home / "link";
  std::filesystem::create_symlink(target, link);
  const auto dangling = user.home / "dangling";
  std::filesystem::create_symlink(user.home / "nothing", dangling);
  const auto other_name = user.home / "other-name";
  std::filesystem::create_hard_link(user.log, other_name);
  const auto fifo = user.home / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const auto key = agentlock::cli::signing_key_in(user.folder);
  const std::string log = read_file(user.log);
  const std::string secret = read_file(key);
  const std::string heads = read_file(heads_beside(key));
  const std::size_t files = files_in(user.home.path()) + files_in(user.folder);
  for (const auto& place : {link, dangling, user.log, other_name, fifo, user.home.path(), key,
                            public_half_beside(key), heads_beside(key)}) {
    const Reported reported = run_report({user.log.string(), "-o", place.string()});
    INFO(place);
    CHECK(reported.code == 5);
    CHECK(has(reported.said, place.string()));
  }
  CHECK(read_file(target) == "precious");
  CHECK(std::filesystem::is_symlink(link));
  CHECK_FALSE(std::filesystem::exists(user.home / "nothing"));
  CHECK(read_file(user.log) == log);
  CHECK(read_file(key) == secret);
  CHECK(read_file(heads_beside(key)) == heads);
  CHECK(files_in(user.home.path()) + files_in(user.folder) == files);
}

TEST_CASE("a page that can't be written leaves what was there", "[unit]") {
  User user;
  const auto page = user.home / "report.html";
  write_file(page, "the page before");
  const std::string missing = (user.home / "missing" / "report.html").string();
  CHECK(run_report({user.log.string(), "-o", missing}).code == 5);
  CHECK(run_report({(user.home / "no-log").string(), "-o", page.string()}).code == 5);
  CHECK(read_file(page) == "the page before");
}

TEST_CASE("a page for which there is no room leaves what was there", "[unit]") {
  User user;
  const auto page = user.home / "report.html";
  write_file(page, "the page before");
  const std::size_t files = files_in(user.home.path());
  struct rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{5'000, old.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Reported reported = run_report({user.log.string(), "-o", page.string()});
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, old_handler);
  CHECK(reported.code == 5);
  CHECK(has(reported.said, "report.html: cannot be written: File too large"));
  CHECK(read_file(page) == "the page before");
  CHECK(files_in(user.home.path()) == files);
}

TEST_CASE("report's exit codes are verify's", "[unit]") {
  User user;
  CHECK(report_of(user.log).code == 0);
  CHECK(report_of(user.home / "missing").code == 5);
  CHECK(report_of(user.home.path()).code == 5);
  CHECK(report_of(user.log, {"--key", user.log.string()}).code == 5);
  DecisionLog writer = user.open();
  REQUIRE(writer.append("decision", decision_fields(*user.key)));
  CHECK(report_of(user.log).code == 3);
  const ScopedVariable state("XDG_STATE_HOME", "/nonexistent");
  const Reported unpinned = report_of(user.log);
  CHECK(unpinned.code == 4);
  CHECK(has(text_of(unpinned.page), "! Not pinned to a key"));
  CHECK(has(text_of(unpinned.page), "None was given or found: only the log vouches for itself"));
}

TEST_CASE("report exits 2 for a call that it can't read", "[unit]") {
  const auto args = GENERATE(
      std::vector<std::string>{}, std::vector<std::string>{"log"},
      std::vector<std::string>{"-o", "page"}, std::vector<std::string>{"log", "-o"},
      std::vector<std::string>{"a", "b", "-o", "c"}, std::vector<std::string>{"a", "-o", "b", "-x"},
      std::vector<std::string>{"a", "-o", "b", "--from", "0"},
      std::vector<std::string>{"a", "-o", "b", "--from", "-1"},
      std::vector<std::string>{"a", "-o", "b", "--entries", "many"},
      std::vector<std::string>{"a", "-o", "b", "--entries", "1000001"});
  const Reported reported = run_report(args);
  CHECK(reported.code == 2);
  CHECK(reported.page.empty());
  CHECK(reported.said.starts_with("usage: "));
}

TEST_CASE("HMAC receipts are unchecked without the secret, and the page says so", "[unit]") {
  User user;
  const auto log = user.home / "hmac-log";
  Story story(log, *user.key, user.clock, {.method = SigningMethod::kHmacSha256});
  story.navigate("http://fixture.test/");
  story.end();
  CHECK(has(text_of(report_of(log).page), "✓ verifies"));
  const auto pub = public_half_beside(agentlock::cli::signing_key_in(user.folder)).string();
  const Reported without = report_of(log, {"--key", pub});
  CHECK(without.code == 4);
  CHECK(has(text_of(without.page), "! not checked: HMAC-SHA256, which only the secret can check"));
  const Reported with = report_of(
      log, {"--key", pub, "--secret", agentlock::cli::signing_key_in(user.folder).string()});
  CHECK(with.code == 0);
}

TEST_CASE("what is left out is said, at its place and on the terminal", "[unit]") {
  User user;
  Story story(user.log, *user.key, user.clock);
  for (int i = 0; i < 20; ++i) story.navigate("http://fixture.test/");
  story.end();
  const Reported last = report_of(user.log, {"--entries", "5"});
  CHECK(count_of(last.page, "<h3>Open an address</h3>") == 5);
  CHECK(has(text_of(last.page), "18 earlier entries are left out here, up to line "));
  CHECK(has(last.page, "<dt>Allowed</dt><dd>20</dd>"));
  CHECK(has(last.said, "5 entries shown, 18 left out (see --entries and --from)"));
  const Reported first = report_of(user.log, {"--entries", "5", "--from", "7"});
  CHECK(has(text_of(first.page), "16 later entries are left out here."));
  CHECK(has(first.page, "--from 12</code>"));
}

TEST_CASE("a page holds no script, no address and no style but its own", "[unit]") {
  User user;
  Story story(user.log, *user.key, user.clock);
  story.read("<a href='http://evil.test/'>x</a> http://evil.test/drop");
  story.navigate("http://evil.test/drop");
  story.note("javascript:alert(1)", {{"href", "http://evil.test/"}});
  story.end();
  const std::string page = report_of(user.log).page;
  CHECK_FALSE(has(page, "<script"));
  CHECK_FALSE(has(page, " style="));
  CHECK_FALSE(has(page, " src="));
  CHECK_FALSE(has(page, "url("));
  CHECK_FALSE(has(page, "@import"));
  // Each href is a place on the page, made of a number.
  for (std::size_t at = 0; (at = page.find("href=", at)) != std::string::npos; at += 5) {
    const std::size_t end = page.find('"', at + 6);
    const std::string target = page.substr(at + 6, end - at - 6);
    CHECK(target.find_first_not_of("#hl0123456789") ==
          (target == "#sessions" ? 1 : std::string::npos));
  }
}

TEST_CASE("the page's policy allows its own style sheet and nothing else", "[unit]") {
  User user;
  const std::string page = report_of(user.log).page;
  const std::size_t begin = page.find("<style>") + 7;
  const std::string style = page.substr(begin, page.find("</style>") - begin);
  const auto digest = *from_hex(sha256_hex(style));
  const std::string hash = to_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
  const std::string policy =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'sha256-" +
      hash + "'; base-uri 'none'; form-action 'none'\">";
  CHECK(count_of(page, policy) == 1);
  // Before it nothing could have been loaded.
  CHECK(page.find(policy) < page.find("<title>"));
  CHECK(page.find(policy) < 200);
}

TEST_CASE("an empty log is a page", "[unit]") {
  User user;
  const auto log = user.home / "empty";
  write_file(log, "");
  const Reported reported = report_of(log);
  CHECK(reported.code == 3);
  CHECK(has(text_of(reported.page), "There is no session."));
  CHECK(has(text_of(reported.page), "There is no decision with a time in this log."));
}
