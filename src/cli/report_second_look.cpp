#include "cli/report_second_look.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "agentlock/line_reader.hpp"
#include "agentlock/log_line.hpp"
#include "base/json.hpp"
#include "cli/report_events.hpp"

namespace agentlock::cli::report {
namespace {

using Sources = decltype(Model::sources);
using Tokens = std::map<Sources::key_type, std::set<std::string>>;

/// The id that a provenance line names. To parse each of them would take most of the
/// time, and the log writes it in one way: what is written in another is parsed.
std::optional<std::string_view> quick_id(std::string_view line) {
  constexpr std::string_view kBefore = "\"provenance_id\":\"";
  const std::size_t at = line.find(kBefore);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + kBefore.size());
  const std::string_view id = rest.substr(0, rest.find('"'));
  if (id.find('\\') != std::string_view::npos) return std::nullopt;
  return id;
}

void take_source(const LineReader::Line& line, Sources& sources, const Tokens& tokens) {
  const auto json = parse_json(line.text);
  if (!json || string_member(*json, "event") != "provenance") return;
  const auto wanted =
      sources.find({string_member(*json, "session"), string_member(*json, "provenance_id")});
  if (wanted == sources.end() || wanted->second) return;
  wanted->second = read_source(*json, read_place(*json, line.number), tokens.at(wanted->first));
}

}  // namespace

Result<void> look_again(std::istream& log, Model& model) {
  const std::uint64_t fault_line =
      model.verified.first_fault ? model.verified.first_fault->line : 0;
  if (model.sources.empty() && fault_line == 0) return {};
  Tokens tokens;
  std::set<std::string, std::less<>> ids;
  for (const Entry& entry : model.entries) {
    if (!entry.decision || entry.decision->provenance_id.empty()) continue;
    tokens[{entry.session, entry.decision->provenance_id}].insert(
        entry.decision->matched_token.text);
    ids.insert(entry.decision->provenance_id);
  }
  LineReader reader(log, kMaxLogLine);
  LineReader::Line line;
  while (reader.next(line) && line.number <= model.verified.lines) {
    if (line.number == fault_line) model.fault_line = excerpt(line.text, kLongText);
    if (ids.empty() || line.text.find("\"provenance_id\"") == std::string::npos) continue;
    const auto id = quick_id(line.text);
    if (!id || ids.contains(*id)) take_source(line, model.sources, tokens);
  }
  if (log.bad()) return fail(ErrorCode::kIo, "the log cannot be read a second time");
  return {};
}

}  // namespace agentlock::cli::report
