#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "agentlock/lineage.hpp"
#include "agentlock/parameters.hpp"

using namespace agentlock;

namespace {

using nlohmann::json;

json to_json(const LineageOutcome& outcome) {
  json written = {{"result", to_string(outcome.result)}};
  if (outcome.qualifier != LineageQualifier::kNone) {
    written["qualifier"] = to_string(outcome.qualifier);
  }
  return written;
}

json to_json(const std::optional<ParamMatch>& match) {
  if (!match) return nullptr;
  json written = {{"matched_param", match->param},
                  {"matched_kind", match->kind},
                  {"matched_token", match->token},
                  {"entry_index", match->entry}};
  if (match->raw_substring_scan) written["match_direction"] = "raw_substring_scan";
  return written;
}

json to_json(const std::optional<NovelMatch>& match) {
  if (!match) return nullptr;
  return {{"matched_param", match->param},
          {"classification", "novel"},
          {"matched_token", match->token}};
}

// The member as it is written, since a tree of JSON values would change numbers.
std::string written_parameters(const std::string& line) {
  const std::string begin = "\"parameters\": ";
  const std::string end = ", \"min_len\": 6, \"param_lineage\": ";
  const std::size_t at = line.find(begin, line.find("\"entries\": ")) + begin.size();
  return line.substr(at, line.rfind(end) - at);
}

}  // namespace

TEST_CASE("every vector of the published engine gets the published engine's answer", "[unit]") {
  std::ifstream file(AGENTLOCK_FIXTURES "/agentlock-vectors/dev.jsonl");
  std::string line;
  int rows = 0;
  int wrong = 0;
  while (std::getline(file, line)) {
    ++rows;
    const json row = json::parse(line);
    LineageIndex index(row["min_len"].get<std::size_t>());
    for (const json& entry : row["entries"]) {
      const auto authority = authority_of(entry["authority"].get<std::string>());
      REQUIRE(authority);
      index.add(*authority, entry["content"].get<std::string>());
    }
    const auto parameters = parse_parameters(written_parameters(line));
    REQUIRE(parameters);
    const ParamLineage param = check_param_lineage(index, *parameters);
    const NovelLineage novel = check_novel_lineage(index, *parameters);
    const json answer = {{"param_lineage", to_json(param.match)},
                         {"param_outcome", to_json(param.outcome)},
                         {"novel_lineage", to_json(novel.match)},
                         {"novel_outcome", to_json(novel.outcome)}};
    for (const auto& [key, value] : answer.items()) {
      if (row[key] == value) continue;
      ++wrong;
      UNSCOPED_INFO(row["id"] << " " << key << ": " << value << ", not " << row[key]);
    }
  }
  CHECK(rows == 5342);
  CHECK(wrong == 0);
}
