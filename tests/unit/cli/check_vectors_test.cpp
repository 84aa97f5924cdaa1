#include "cli/check_vectors.hpp"

#include <fstream>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;

struct Checked {
  int exit_code;
  std::string out;
};

Checked check(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int exit_code = agentlock::cli::check_vectors(in, out);
  return {exit_code, out.str()};
}

}  // namespace

TEST_CASE("an auditor gets the vectors' answers in the vectors' own format", "[unit]") {
  std::ifstream file(AGENTLOCK_FIXTURES "/agentlock-vectors/dev.jsonl");
  // All of them are compared in the engine's own test; here it is about the form.
  constexpr int kEvery = 20;
  std::string lines;
  std::string line;
  for (int row = 0; std::getline(file, line); ++row) {
    if (row % kEvery == 0) lines += line + "\n";
  }
  const Checked checked = check(lines);
  CHECK(checked.exit_code == 0);
  std::istringstream expected_lines(lines);
  std::istringstream answers(checked.out);
  int rows = 0;
  while (std::getline(expected_lines, line)) {
    json expected = json::parse(line);
    for (const char* key : {"entries", "parameters", "min_len"}) expected.erase(key);
    std::string answer;
    REQUIRE(std::getline(answers, answer));
    CHECK(json::parse(answer) == expected);
    ++rows;
  }
  CHECK(rows > 200);
}

TEST_CASE("an answer is one line of ASCII with its members in order", "[unit]") {
  const Checked checked =
      check(R"({"id":"é","entries":[{"authority":"untrusted","content":"evil.com"}],)"
            R"("parameters":{"ü":"evil.com"},"min_len":6})");
  CHECK(checked.exit_code == 0);
  CHECK(checked.out ==
        R"({"id":"\u00e9","param_lineage":{"matched_param":"\u00fc","matched_kind":"url",)"
        R"("matched_token":"evil.com","entry_index":0},"param_outcome":{"result":"match"},)"
        R"("novel_lineage":null,"novel_outcome":{"result":"not_classifiable",)"
        R"("qualifier":"no_authoritative_baseline"}})"
        "\n");
}

TEST_CASE("a line that can't be read is answered with an error and the rest goes on", "[unit]") {
  const std::string good = R"({"id":"good","entries":[],"parameters":null,"min_len":6})";
  const Checked checked = check(
      "not json\n\n"
      R"({"id":"no-entries","parameters":null})"
      "\n"
      R"({"id":"bad-authority","entries":[{"authority":"root","content":""}],"parameters":{}})"
      "\n"
      R"({"id":"bad-length","entries":[],"parameters":{},"min_len":-1})"
      "\n"
      R"({"id":"no-parameters","entries":[]})"
      "\n[1]\n" +
      good);
  CHECK(checked.exit_code == 1);
  std::istringstream lines(checked.out);
  std::string line;
  std::string ids;
  while (std::getline(lines, line)) {
    const json answer = json::parse(line);
    ids += answer["id"].dump() + (answer.contains("error") ? "!" : "") + " ";
  }
  CHECK(ids ==
        "null! \"no-entries\"! \"bad-authority\"! \"bad-length\"! \"no-parameters\"! null! "
        "\"good\" ");
}
