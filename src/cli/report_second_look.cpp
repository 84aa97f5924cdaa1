#include "cli/report_second_look.hpp"

#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "agentlock/line_reader.hpp"
#include "agentlock/log_line.hpp"
#include "base/json.hpp"
#include "cli/report_events.hpp"
#include "cli/report_members.hpp"

namespace agentlock::cli::report {
namespace {

using Sources = decltype(Model::sources);
using Tokens = std::map<Sources::key_type, std::set<std::string>>;

void take_source(const LineReader::Line& line, Sources& sources, const Tokens& tokens) {
  const auto json = parse_json(line.text);
  if (!json || string_member(*json, "event") != "provenance") return;
  const auto wanted =
      sources.find({string_member(*json, "session"), string_member(*json, "provenance_id")});
  if (wanted == sources.end() || wanted->second) return;
  Place place{line.number, count_member(*json, "seq"), std::nullopt};
  if (const Json* ts = member(*json, "ts"); ts != nullptr && ts->is_number()) {
    place.moment = Moment::of(ts->get<double>());
  }
  wanted->second = read_source(*json, place, tokens.at(wanted->first));
}

}  // namespace

Result<void> look_again(std::istream& log, Model& model) {
  const std::uint64_t fault_line =
      model.verified.first_fault ? model.verified.first_fault->line : 0;
  if (model.sources.empty() && fault_line == 0) return {};
  Tokens tokens;
  for (const Entry& entry : model.entries) {
    if (!entry.decision || entry.decision->provenance_id.empty()) continue;
    tokens[{entry.session, entry.decision->provenance_id}].insert(
        entry.decision->matched_token.text);
  }
  LineReader reader(log, kMaxLogLine);
  LineReader::Line line;
  while (reader.next(line) && line.number <= model.verified.lines) {
    if (line.number == fault_line) model.fault_line = excerpt(line.text, kLongText);
    // Most lines are not asked for; to parse them would take most of the time.
    if (!model.sources.empty() && line.text.find("\"provenance_id\"") != std::string::npos) {
      take_source(line, model.sources, tokens);
    }
  }
  if (log.bad()) return fail(ErrorCode::kIo, "the log cannot be read a second time");
  return {};
}

}  // namespace agentlock::cli::report
