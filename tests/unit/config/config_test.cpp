#include "config/config.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "unit/agentlock/log_support.hpp"

using namespace std::chrono_literals;

namespace agentlock::config {
namespace {

using Environment = std::map<std::string, std::string>;
using Flags = std::vector<std::string>;

/// Settings from a file (none if empty), the environment and flags.
struct Given {
  test::TempFolder folder;

  std::string path() const { return (folder / "config.json").string(); }

  Result<Config> load(std::string_view file, Environment environment = {}, Flags flags = {}) const {
    if (!file.empty()) {
      test::write_file(path(), file);
      environment.emplace("AGENTLOCK_BROWSER_CONFIG", path());
    }
    return config::load({.environment = std::move(environment), .arguments = flags});
  }
};

Result<Config> from_file(std::string_view file) { return Given().load(file); }
Result<Config> from_flags(Flags flags) { return Given().load("", {}, std::move(flags)); }
Result<Config> from_environment(Environment environment) {
  return Given().load("", std::move(environment));
}

/// The one line that a bad configuration answers with.
std::string complaint(const Result<Config>& config) {
  REQUIRE_FALSE(config);
  const std::string line = config.error().describe();
  CHECK(line.find_first_of("\n\r\x1b") == std::string::npos);
  CHECK(line.starts_with("config: "));
  return line;
}

bool names(const std::string& line, std::string_view what) {
  return line.find(what) != std::string::npos;
}

TEST_CASE("what is not configured has its default", "[unit]") {
  const auto config = Given().load("");
  REQUIRE(config);
  CHECK(config->allowlist.empty());
  CHECK(config->operator_text.empty());
  CHECK(config->lineage_mode == LineageMode::kClosed);
  CHECK(config->hop_policy == HopPolicy::kUsual);
  CHECK(config->headless);
  CHECK_FALSE(config->prelaunch);
  CHECK_FALSE(config->log_page_text);
  CHECK(config->receipt_method == "ed25519");
  CHECK(config->role == "operator");
  CHECK(config->ledger_max_mb == 256);
  CHECK(config->nav_timeout == 30s);
  CHECK(config->action_timeout == 10s);
  CHECK_FALSE(config->viewport);
  CHECK_FALSE(config->policy().confirm_unclassified);
}

TEST_CASE("each lineage mode can be chosen, and the exact one asks about what it lets pass",
          "[unit]") {
  for (const auto& [name, mode] : {std::pair{"agentlock", LineageMode::kAgentlock},
                                   {"closed", LineageMode::kClosed},
                                   {"require", LineageMode::kRequire}}) {
    const auto config = from_environment({{"AGENTLOCK_BROWSER_LINEAGE_MODE", name}});
    REQUIRE(config);
    CHECK(config->lineage_mode == mode);
    CHECK(config->policy().lineage_mode == mode);
    CHECK(config->policy().confirm_unclassified == (mode == LineageMode::kAgentlock));
  }
}

TEST_CASE("flags win over the environment, and the environment over the file", "[unit]") {
  const Given given;
  const std::string file = R"({"operator_text":"file","chromium_path":"/file","role":"file"})";
  const Environment environment = {{"AGENTLOCK_BROWSER_OPERATOR_TEXT", "environment"},
                                   {"AGENTLOCK_BROWSER_CHROMIUM", "/environment"}};
  const auto config = given.load(file, environment, {"--operator-text", "flag"});
  REQUIRE(config);
  CHECK(config->operator_text == "flag");
  CHECK(config->chromium_path == "/environment");
  CHECK(config->role == "file");
  // Lists too are replaced and not added to.
  const auto lists = given.load(R"({"allowlist":["https://file.test"]})",
                                {{"AGENTLOCK_BROWSER_ALLOWLIST", "https://environment.test"}});
  REQUIRE(lists);
  REQUIRE(lists->allowlist.size() == 1);
  CHECK(lists->allowlist.front().serialize() == "https://environment.test");
}

TEST_CASE("the file that --config names is read in place of the environment's", "[unit]") {
  const Given given;
  const std::string other = (given.folder / "other.json").string();
  test::write_file(other, R"({"role":"other"})");
  CHECK(given.load(R"({"role":"file"})", {}, {"--config", other})->role == "other");
  CHECK(given.load(R"({"role":"file"})", {}, {"--config=" + other})->role == "other");
  CHECK(given.load(R"({"role":"file"})")->role == "file");
  CHECK(names(complaint(from_flags({"--config"})), "--config"));
  CHECK(names(complaint(from_flags({"--config", "/nonexistent/c.json"})), "/nonexistent/c.json"));
  CHECK(names(complaint(from_environment({{"AGENTLOCK_BROWSER_CONFIG", "/nonexistent/c.json"}})),
              "/nonexistent/c.json"));
}

TEST_CASE("each variable of the environment sets its key", "[unit]") {
  const auto config =
      from_environment({{"AGENTLOCK_BROWSER_ALLOWLIST", "https://a.test, b.test:8443,"},
                        {"AGENTLOCK_BROWSER_OPERATOR_TEXT", "say, this"},
                        {"AGENTLOCK_BROWSER_LOG", "/log"},
                        {"AGENTLOCK_BROWSER_HEADLESS", "no"},
                        {"AGENTLOCK_BROWSER_LINEAGE_MODE", "agentlock"},
                        {"AGENTLOCK_BROWSER_CHROMIUM", "/chromium"},
                        {"AGENTLOCK_BROWSER_HOP_POLICY", "strict"},
                        {"AGENTLOCK_BROWSER_SIGNING_KEY", "/key"},
                        {"PATH", "/bin"}});
  REQUIRE(config);
  REQUIRE(config->allowlist.size() == 2);
  CHECK(config->allowlist[0].serialize() == "https://a.test");
  CHECK(config->allowlist[1].serialize() == "https://b.test:8443");
  CHECK(config->operator_text == "say, this");
  CHECK(config->log_path == "/log");
  CHECK_FALSE(config->headless);
  CHECK(config->chromium_path == "/chromium");
  CHECK(config->hop_policy == HopPolicy::kStrict);
  CHECK(config->signing_key == "/key");
}

TEST_CASE("the file and the flags know every key", "[unit]") {
  const Config file = *from_file(R"({
    "allowlist": ["https://a.test", "http://b.test:81"], "chromium_args": ["--one", "--two=x,y"],
    "user_agent": "UA", "viewport": {"width": 800, "height": 600}, "locale": "de",
    "timezone": "Europe/Berlin", "nav_timeout_ms": 100, "action_timeout_ms": 600000,
    "confirm_unclassified": false, "ledger_max_mb": 1, "log_page_text": true,
    "receipt_method": "hmac-sha256", "prelaunch": true, "headless": false})");
  CHECK(file.allowlist.size() == 2);
  CHECK(file.chromium_args == std::vector<std::string>{"--one", "--two=x,y"});
  CHECK(file.user_agent == "UA");
  REQUIRE(file.viewport);
  CHECK(file.viewport->width == 800);
  CHECK(file.viewport->height == 600);
  CHECK(file.locale == "de");
  CHECK(file.timezone == "Europe/Berlin");
  CHECK(file.nav_timeout == 100ms);
  CHECK(file.action_timeout == 600s);
  CHECK_FALSE(file.policy().confirm_unclassified);
  CHECK(file.ledger_max_mb == 1);
  CHECK(file.log_page_text);
  CHECK(file.receipt_method == "hmac-sha256");
  CHECK(file.prelaunch);
  CHECK_FALSE(file.headless);

  const Config flags = *from_flags(
      {"--allowlist=https://a.test,http://b.test:81", "--chromium-args=--one,--two", "--user-agent",
       "UA", "--viewport", "800x600", "--nav-timeout-ms=100", "--action-timeout-ms", "600000",
       "--confirm-unclassified", "no", "--ledger-max-mb=1", "--log-page-text", "--prelaunch",
       "--headless=false", "--receipt-method", "hmac-sha256", "--role", "tester"});
  CHECK(flags.allowlist == file.allowlist);
  CHECK(flags.chromium_args == std::vector<std::string>{"--one", "--two"});
  CHECK(flags.viewport->width == 800);
  CHECK(flags.viewport->height == 600);
  CHECK(flags.nav_timeout == 100ms);
  CHECK(flags.action_timeout == 600s);
  CHECK_FALSE(flags.policy().confirm_unclassified);
  CHECK(flags.log_page_text);
  CHECK(flags.prelaunch);
  CHECK_FALSE(flags.headless);
  CHECK(flags.role == "tester");
}

TEST_CASE("a switch is told in six words and no others", "[unit]") {
  for (const char* on : {"1", "true", "yes"}) {
    CHECK(from_environment({{"AGENTLOCK_BROWSER_HEADLESS", on}})->headless);
  }
  for (const char* off : {"0", "false", "no"}) {
    CHECK_FALSE(from_environment({{"AGENTLOCK_BROWSER_HEADLESS", off}})->headless);
  }
  for (const char* other : {"", "2", "off", "FALSE", " 0", "nope"}) {
    INFO(other);
    const std::string line = complaint(from_environment({{"AGENTLOCK_BROWSER_HEADLESS", other}}));
    CHECK(names(line, "headless"));
    CHECK(names(line, "AGENTLOCK_BROWSER_HEADLESS"));
  }
  // A switch that stands alone, before another flag and at the end.
  const auto config = from_flags({"--prelaunch", "--log-page-text"});
  REQUIRE(config);
  CHECK(config->prelaunch);
  CHECK(config->log_page_text);
}

TEST_CASE("a wrong type or value in the file names its key and the file", "[unit]") {
  const Given given;
  const std::pair<const char*, const char*> cases[] = {
      {"allowlist", R"("https://a.test")"},
      {"allowlist", R"([5])"},
      {"operator_text", "5"},
      {"operator_text", R"(["a"])"},
      {"operator_text", "null"},
      {"log_path", "true"},
      {"log_path", R"("")"},
      {"signing_key", R"("")"},
      {"headless", R"("false")"},
      {"headless", "0"},
      {"lineage_mode", R"("open")"},
      {"lineage_mode", "1"},
      {"hop_policy", R"("none")"},
      {"hop_policy", "false"},
      {"chromium_path", "[]"},
      {"chromium_args", R"("--one")"},
      {"chromium_args", "[true]"},
      {"user_agent", "1"},
      {"viewport", R"("800x600")"},
      {"viewport", R"({"width": 800})"},
      {"viewport", R"({"width": 800, "height": 600, "depth": 1})"},
      {"viewport", R"({"width": 99, "height": 600})"},
      {"viewport", R"({"width": 800, "height": 10001})"},
      {"viewport", R"({"width": 800.5, "height": 600})"},
      {"locale", "1"},
      {"timezone", "1"},
      {"nav_timeout_ms", "99"},
      {"nav_timeout_ms", "600001"},
      {"nav_timeout_ms", "1e3"},
      {"nav_timeout_ms", R"("1000")"},
      {"nav_timeout_ms", "-1000"},
      {"nav_timeout_ms", "18446744073709551615"},
      {"action_timeout_ms", "0"},
      {"confirm_unclassified", R"("yes")"},
      {"ledger_max_mb", "0"},
      {"ledger_max_mb", "4097"},
      {"ledger_max_mb", "18446744073709551615"},
      {"ledger_max_mb", "1.5"},
      {"log_page_text", "1"},
      {"receipt_method", R"("none")"},
      {"receipt_method", "1"},
      {"prelaunch", "1"},
      {"role", "1"},
  };
  for (const auto& [key, value] : cases) {
    INFO(key << ": " << value);
    const std::string line = complaint(given.load("{\"" + std::string(key) + "\": " + value + "}"));
    CHECK(names(line, key));
    CHECK(names(line, given.path()));
  }
}

TEST_CASE("an allowlist entry that is no origin is named", "[unit]") {
  for (const char* entry :
       {"https://a.test/path", "https://*.a.test", "ftp://a.test", "*", "https://user@a.test",
        "https://a.test?q", "a b.test", "javascript:x"}) {
    INFO(entry);
    const std::string file = complaint(
        from_file(R"({"allowlist":["https://fine.test",")" + std::string(entry) + "\"]}"));
    CHECK(names(file, "allowlist"));
    CHECK(names(file, entry));
    const std::string environment = complaint(
        from_environment({{"AGENTLOCK_BROWSER_ALLOWLIST", "fine.test," + std::string(entry)}}));
    CHECK(names(environment, "AGENTLOCK_BROWSER_ALLOWLIST"));
    CHECK(names(environment, entry));
    CHECK(names(complaint(from_flags({"--allowlist", entry})), "command line"));
  }
  CHECK(from_file(R"({"allowlist":["https://a.test/"]})")->allowlist.size() == 1);
}

TEST_CASE("a key that nobody knows is an error, whatever it is made of", "[unit]") {
  const Given given;
  const std::string line = complaint(given.load(R"({"alowlist": ["https://a.test"]})"));
  CHECK(names(line, "alowlist"));
  CHECK(names(line, given.path()));
  CHECK(names(complaint(from_flags({"--alow-list", "a.test"})), "--alow-list"));
  CHECK(names(complaint(from_flags({"allowlist"})), "allowlist"));
  CHECK(names(complaint(from_flags({"-h"})), "-h"));
  complaint(from_file(R"({"a\nconfig: fine\u001b[2J": 1})"));
  complaint(from_flags({"--a\nconfig: fine\x1b[2J"}));
  complaint(from_flags({"a\nconfig: fine\x1b[2J"}));
}

TEST_CASE("a mistyped variable is an error and not a setting that is quietly missing", "[unit]") {
  const auto config = from_environment({{"AGENTLOCK_BROWSER_ALOWLIST", "https://a.example"}});
  CHECK(names(complaint(config), "AGENTLOCK_BROWSER_ALOWLIST"));
  CHECK(from_environment({{"AGENTLOCK_BROWSER_LOG_LEVEL", "debug"}, {"PATH", "/bin"}}));
}

TEST_CASE("a flag without its value is an error", "[unit]") {
  CHECK(names(complaint(from_flags({"--operator-text"})), "--operator-text"));
  CHECK(names(complaint(from_flags({"--log-path", "--prelaunch"})), "--log-path"));
  CHECK(names(complaint(from_flags({"--nav-timeout-ms", "soon"})), "nav_timeout_ms"));
  CHECK(names(complaint(from_flags({"--nav-timeout-ms=1000x"})), "nav_timeout_ms"));
  for (const char* viewport :
       {"800", "800x", "x600", "800x600x1", "800 x 600", "-800x600", "0x0"}) {
    INFO(viewport);
    CHECK(names(complaint(from_flags({"--viewport", viewport})), "viewport"));
  }
}

TEST_CASE("the last of a flag counts", "[unit]") {
  CHECK(from_flags({"--role=one", "--role", "two"})->role == "two");
}

TEST_CASE("the operator channel is off unless it is asked for", "[unit]") {
  CHECK_FALSE(from_flags({})->operator_channel);
  CHECK(from_flags({"--operator-channel"})->operator_channel);
  const auto config = Given().load(R"({"operator_channel": true})");
  REQUIRE(config);
  CHECK(config->operator_channel);
  CHECK(config->to_json().at("operator_channel") == true);
}

TEST_CASE("what this version does not have is an error that says so", "[unit]") {
  const Given given;
  const std::pair<const char*, const char*> cases[] = {{"user_data_dir", R"("/profile")"}};
  for (const auto& [key, value] : cases) {
    INFO(key);
    const std::string line = complaint(given.load("{\"" + std::string(key) + "\": " + value + "}"));
    CHECK(names(line, key));
    CHECK(names(line, "not in this version"));
  }
}

TEST_CASE("a file that can't be the configuration is an error that names it", "[unit]") {
  const Given given;
  const std::string deep = R"({"viewport":)" + std::string(8, '[') + std::string(8, ']') + "}";
  for (const std::string& file :
       {std::string("["), std::string("[]"), std::string("\"role\""), std::string("{} {}"),
        std::string("{\"role\": \"\xFF\"}"), std::string("// no comments\n{}"),
        std::string("{\"role\":\"a\",}"), deep}) {
    INFO(file);
    CHECK(names(complaint(given.load(file)), given.path()));
  }
  CHECK(names(complaint(given.load(deep)), "nested deeper"));
  // A folder, and an empty file.
  CHECK(names(complaint(from_flags({"--config", given.folder.path().string()})),
              given.folder.path().string()));
  const std::string empty = (given.folder / "empty.json").string();
  test::write_file(empty, "");
  CHECK(names(complaint(from_flags({"--config", empty})), empty));
}

TEST_CASE("a file may be as large as the bound and not larger", "[unit]") {
  const Given given;
  constexpr std::size_t kBound = std::size_t{1} << 20U;
  const std::string frame = R"({"operator_text":""})";
  std::string file = R"({"operator_text":")" + std::string(kBound - frame.size(), 'x') + "\"}";
  REQUIRE(file.size() == kBound);
  const auto config = given.load(file);
  REQUIRE(config);
  CHECK(config->operator_text.size() == kBound - frame.size());
  const std::string line = complaint(given.load(file + " "));
  CHECK(names(line, "1 MiB"));
  CHECK(names(line, given.path()));
}

TEST_CASE("a text that is not UTF-8 is refused where it is given", "[unit]") {
  const std::string line =
      complaint(from_environment({{"AGENTLOCK_BROWSER_OPERATOR_TEXT", "caf\xE9"}}));
  CHECK(names(line, "operator_text"));
  CHECK(names(complaint(from_flags({"--role", "\xFF"})), "role"));
  CHECK(names(complaint(from_flags({"--chromium-args=--a=\xFF"})), "chromium_args"));
}

TEST_CASE("what is in force is shown, and no secret with it", "[unit]") {
  const Given given;
  const std::string key_file = (given.folder / "signing.key").string();
  const std::string secret(64, '7');
  test::write_file(key_file, secret + "\n");
  const auto config = given.load(
      R"({"allowlist":["b.test","https://a.test:443"],"viewport":{"width":800,"height":600}})",
      {{"AGENTLOCK_BROWSER_SIGNING_KEY", key_file}, {"SOME_TOKEN", "token-of-another"}},
      {"--test-host-map", "a.test:443=127.0.0.1:8443", "--test-spki", "spki-hash",
       "--hop-policy=strict"});
  REQUIRE(config);
  CHECK(config->test_hosts.size() == 1);
  CHECK(config->test_spki == std::vector<std::string>{"spki-hash"});
  const Json shown = config->to_json();
  CHECK(shown["allowlist"].dump() == R"(["https://b.test","https://a.test"])");
  CHECK(shown["signing_key"] == key_file);
  CHECK(shown["hop_policy"] == "strict");
  CHECK(shown["lineage_mode"] == "closed");
  CHECK(shown["confirm_unclassified"] == false);
  CHECK(shown["viewport"].dump() == R"({"width":800,"height":600})");
  CHECK(shown["test_hosts"].dump() == R"({"a.test:443":"127.0.0.1:8443"})");
  const std::string text = to_line(shown);
  CHECK_FALSE(names(text, secret));
  CHECK_FALSE(names(text, "token-of-another"));
}

TEST_CASE("what is shown can be given back as the file", "[unit]") {
  const Config config = *from_file(
      R"({"allowlist":["a.test"],"operator_text":"say \"this\"","log_path":"/l","signing_key":"/k",
          "chromium_args":["--x"],"viewport":{"width":800,"height":600},"nav_timeout_ms":500})");
  const auto again = from_file(to_line(config.to_json()));
  REQUIRE(again);
  CHECK(to_line(again->to_json()) == to_line(config.to_json()));
}

TEST_CASE("the conformance suite's tools are off unless the command line alone asks for them",
          "[unit]") {
  CHECK_FALSE(from_file("{}")->conformance_fixtures);
  CHECK_FALSE(from_file("{}")->to_json().contains("conformance_fixtures"));
  const auto on = from_flags({"--conformance-fixtures", "--hop-policy=strict"});
  REQUIRE(on);
  CHECK(on->conformance_fixtures);
  CHECK(on->to_json().at("conformance_fixtures") == true);
  CHECK(names(complaint(from_flags({"--conformance-fixtures=false"})), "--conformance-fixtures"));
  complaint(from_file(R"({"conformance_fixtures":true})"));
}

TEST_CASE("a host map for tests must be a pair", "[unit]") {
  CHECK(names(complaint(from_flags({"--test-host-map", "a.test"})), "--test-host-map"));
  CHECK(names(complaint(from_flags({"--test-host-map"})), "--test-host-map"));
  CHECK(names(complaint(from_flags({"--test-spki"})), "--test-spki"));
  // Not through the file: its hosts count as public ones.
  complaint(from_file(R"({"test_host_map":"a.test=127.0.0.1:1"})"));
}

}  // namespace
}  // namespace agentlock::config
