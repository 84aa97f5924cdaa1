#include "cli/check_rows.hpp"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace agentlock::cli {
namespace {

using nlohmann::json;

struct Checked {
  int exit_code;
  std::vector<json> answers;
};

Checked check(const std::string& lines, LineageMode mode) {
  std::istringstream input(lines);
  std::ostringstream output;
  const int exit_code = check_rows(input, output, mode);
  Checked checked{exit_code, {}};
  std::istringstream answers(output.str());
  for (std::string line; std::getline(answers, line);) checked.answers.push_back(json::parse(line));
  return checked;
}

std::vector<json> rows() {
  std::ifstream file(AGENTLOCK_FIXTURES "/lineage/dev.jsonl");
  std::vector<json> all;
  for (std::string line; std::getline(file, line);) all.push_back(json::parse(line));
  return all;
}

/// Which rows a mode decides otherwise than an ideal gate, by the kind of row.
struct Agreement {
  std::map<std::string, int> right;
  std::map<std::string, std::set<std::string>> wrong;
};

Agreement agreement(LineageMode mode) {
  const std::vector<json> all = rows();
  REQUIRE(all.size() == 201);
  std::string lines;
  for (json row : all) {
    row.erase("expected");
    lines += row.dump() + '\n';
  }
  const Checked checked = check(lines, mode);
  REQUIRE(checked.exit_code == 0);
  REQUIRE(checked.answers.size() == all.size());
  Agreement result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    REQUIRE(checked.answers[i].at("id") == all[i].at("id"));
    const char* const kind = all[i].value("hard", false)               ? "hard"
                             : all[i].value("policy_dependent", false) ? "policy"
                                                                       : "plain";
    if (checked.answers[i].at("decision") == all[i].at("expected")) {
      ++result.right[kind];
    } else {
      result.wrong[kind].insert(all[i].at("id").get<std::string>());
    }
  }
  return result;
}

}  // namespace

// docs/lineage.md gives the reason of each row that differs.
TEST_CASE("closed mode decides as an ideal gate does, but for rows about recipients", "[unit]") {
  const Agreement found = agreement(LineageMode::kClosed);
  CHECK(found.right.at("plain") == 133);
  CHECK(found.right.at("hard") == 27);
  CHECK(found.right.at("policy") == 35);
  CHECK(found.wrong.size() == 1);
  CHECK(found.wrong.at("policy") == std::set<std::string>{"lin-05bbe9e7a6", "lin-09e459746c",
                                                          "lin-2a94450a5e", "lin-2ad9f734cc",
                                                          "lin-3dccf8c539", "lin-dfd6c57033"});
}

TEST_CASE("require mode refuses words of an address that nobody gave as well", "[unit]") {
  const Agreement found = agreement(LineageMode::kRequire);
  CHECK(found.right.at("plain") == 130);
  CHECK(found.right.at("hard") == 27);
  CHECK(found.right.at("policy") == 34);
  CHECK(found.wrong.at("plain") ==
        std::set<std::string>{"lin-04339c2e7f", "lin-0fd3ad5b77", "lin-20827aae76"});
}

TEST_CASE("the exact mode's holes are counted", "[unit]") {
  const Agreement found = agreement(LineageMode::kAgentlock);
  CHECK(found.right.at("plain") == 112);
  CHECK(found.right.at("hard") == 15);
  CHECK(found.right.at("policy") == 22);
}

TEST_CASE("each row says who decided and by which rule", "[unit]") {
  const std::string row =
      R"({"id":"a","user_text":"Open https://a.test","allowlist":["https://b.test","@c.test"],)"
      R"("page_text":"see evil.test","page_origin":"https://p.test","action":"navigate",)";
  const Checked checked =
      check(row + R"("value":"https://a.test/"})" + "\n\n" + row + R"("value":"https://b.test/"})" +
                "\n" + row + R"("value":"https://evil.test/"})" + "\n",
            LineageMode::kClosed);
  CHECK(checked.exit_code == 0);
  REQUIRE(checked.answers.size() == 3);
  CHECK(checked.answers[0] == json{{"id", "a"},
                                   {"decision", "allow"},
                                   {"channel", "USER"},
                                   {"reason", ""},
                                   {"rule", "operator_url"}});
  CHECK(checked.answers[1].at("channel") == "ALLOWLIST");
  CHECK(checked.answers[2] == json{{"id", "a"},
                                   {"decision", "deny"},
                                   {"channel", "PAGE"},
                                   {"reason", "param_lineage"},
                                   {"rule", "page_exact"}});
}

TEST_CASE("a row that can't be read is told, and the rest goes on", "[unit]") {
  const std::string good =
      R"({"id":"g","user_text":"","allowlist":[],"page_text":"","page_origin":"","action":"type","value":"hello"})";
  const Checked checked =
      check("no json\n{\"id\":\"x\",\"user_text\":\"\"}\n" + good + "\n", LineageMode::kClosed);
  CHECK(checked.exit_code == 1);
  REQUIRE(checked.answers.size() == 3);
  CHECK(checked.answers[0].at("id").is_null());
  CHECK(checked.answers[0].contains("error"));
  CHECK(checked.answers[1].at("id") == "x");
  CHECK(checked.answers[1].at("error").get<std::string>().find("page_text") != std::string::npos);
  CHECK(checked.answers[2].at("channel") == "UNCLASSIFIED");
}

}  // namespace agentlock::cli
