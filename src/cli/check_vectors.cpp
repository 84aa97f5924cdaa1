#include "cli/check_vectors.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "agentlock/lineage.hpp"
#include "agentlock/parameters.hpp"
#include "agentlock/result.hpp"
#include "base/json.hpp"
#include "cli/check_lines.hpp"

namespace agentlock::cli {
namespace {

// Far above any real row; a stream without line ends must not fill the memory.
constexpr std::size_t kMaxLine = std::size_t{64} << 20U;

// A row is read as a Parameter, as that keeps what the answers depend on: the order
// of members, big integers, and floats apart from integers.
const Parameter* find(const Parameter& object, std::string_view key) {
  if (const auto* members = std::get_if<Parameter::Object>(&object.value())) {
    for (const auto& [name, value] : *members) {
      if (name == key) return &value;
    }
  }
  return nullptr;
}

const std::string* find_text(const Parameter& object, std::string_view key) {
  const Parameter* value = find(object, key);
  return value == nullptr ? nullptr : std::get_if<std::string>(&value->value());
}

Result<std::size_t> min_length_of(const Parameter& row) {
  const Parameter* value = find(row, "min_len");
  if (value == nullptr) return LineageIndex::kDefaultMinLength;
  std::size_t length = 0;
  if (const auto* number = std::get_if<Parameter::Integer>(&value->value())) {
    const char* const end = number->digits.data() + number->digits.size();
    const auto [stop, fault] = std::from_chars(number->digits.data(), end, length);
    if (fault == std::errc() && stop == end) return length;
  }
  return fail(ErrorCode::kInvalidArgument, "min_len is not a length");
}

Result<LineageIndex> index_of(const Parameter& row) {
  AGENTLOCK_TRY(min_length, min_length_of(row));
  LineageIndex index(min_length);
  const Parameter* value = find(row, "entries");
  const auto* entries = value == nullptr ? nullptr : std::get_if<Parameter::Array>(&value->value());
  if (entries == nullptr) return fail(ErrorCode::kInvalidArgument, "entries is not a list");
  for (const Parameter& entry : *entries) {
    const std::string* name = find_text(entry, "authority");
    const std::string* content = find_text(entry, "content");
    const auto authority = name == nullptr ? std::nullopt : authority_of(*name);
    if (!authority || content == nullptr) {
      return fail(ErrorCode::kInvalidArgument, "an entry lacks its authority or its content");
    }
    index.add(*authority, *content);
  }
  return index;
}

Json to_json(const LineageOutcome& outcome) {
  Json json = {{"result", to_string(outcome.result)}};
  if (outcome.qualifier != LineageQualifier::kNone) {
    json["qualifier"] = to_string(outcome.qualifier);
  }
  return json;
}

Json to_json(const std::optional<ParamMatch>& match) {
  if (!match) return nullptr;
  Json json = {{"matched_param", match->param},
               {"matched_kind", match->kind},
               {"matched_token", match->token},
               {"entry_index", match->entry}};
  if (match->raw_substring_scan) json["match_direction"] = "raw_substring_scan";
  return json;
}

Json to_json(const std::optional<NovelMatch>& match) {
  if (!match) return nullptr;
  return {{"matched_param", match->param},
          {"classification", "novel"},
          {"matched_token", match->token}};
}

Result<Json> answer(const Parameter& row) {
  AGENTLOCK_TRY(index, index_of(row));
  const Parameter* parameters = find(row, "parameters");
  const bool is_object =
      parameters != nullptr && std::holds_alternative<Parameter::Object>(parameters->value());
  const bool is_null =
      parameters != nullptr && std::holds_alternative<std::nullptr_t>(parameters->value());
  if (!is_object && !is_null) {
    return fail(ErrorCode::kInvalidArgument, "parameters is neither an object nor null");
  }
  const ParamLineage param = check_param_lineage(index, *parameters);
  const NovelLineage novel = check_novel_lineage(index, *parameters);
  return Json{{"param_lineage", to_json(param.match)},
              {"param_outcome", to_json(param.outcome)},
              {"novel_lineage", to_json(novel.match)},
              {"novel_outcome", to_json(novel.outcome)}};
}

Result<Json> answer_line(const std::string& line, bool too_long, Json& id) {
  if (too_long) return fail(ErrorCode::kLimit, "the line is longer than 64 MiB");
  AGENTLOCK_TRY(row, parse_parameters(line));
  if (!std::holds_alternative<Parameter::Object>(row.value())) {
    return fail(ErrorCode::kInvalidArgument, "the line is not an object");
  }
  const std::string* name = find_text(row, "id");
  if (name == nullptr) return fail(ErrorCode::kInvalidArgument, "id is not a text");
  id = *name;
  return answer(row);
}

}  // namespace

int check_vectors(std::istream& in, std::ostream& out) {
  int exit_code = 0;
  std::string line;
  for (Line kind = read_line(in, line, kMaxLine); kind != Line::kEnd;
       kind = read_line(in, line, kMaxLine)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json written = {{"id", nullptr}};
    const Result<Json> answered = answer_line(line, kind == Line::kTooLong, written["id"]);
    if (answered) {
      written.update(*answered);
    } else {
      written["error"] = answered.error().describe();
      exit_code = 1;
    }
    out << written.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n';
  }
  out.flush();
  return exit_code;
}

}  // namespace agentlock::cli
