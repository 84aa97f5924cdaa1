#include "cli/check_rows.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "agentlock/gate.hpp"
#include "agentlock/ledger.hpp"
#include "base/json.hpp"
#include "cli/check_lines.hpp"

namespace agentlock::cli {
namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 20U;

Result<std::string> text_of(const Json& row, const char* name) {
  const auto found = row.find(name);
  if (found == row.end() || !found->is_string()) {
    return fail(ErrorCode::kInvalidArgument, std::string(name) + " is missing or no text");
  }
  return found->get<std::string>();
}

// The origin of a row's page; opaque where the row names none.
Origin page_origin_of(const std::string& text) {
  const auto url = Url::parse(text);
  return url ? url->origin() : Origin::opaque();
}

std::string rule_of(const Verdict& verdict) {
  if (verdict.evidence && !verdict.evidence->rule.empty()) return verdict.evidence->rule;
  if (verdict.evidence) return verdict.evidence->gate;
  if (verdict.basis && !verdict.basis->rule.empty()) return verdict.basis->rule;
  if (verdict.basis) return verdict.basis->param_lineage + " " + verdict.basis->novel_lineage;
  if (!verdict.cause.empty()) return verdict.cause;
  return verdict.allowed() ? "allowlist" : verdict.reason;
}

Result<Json> answer(const Json& row, LineageMode mode) {
  AGENTLOCK_TRY(user_text, text_of(row, "user_text"));
  AGENTLOCK_TRY(page_text, text_of(row, "page_text"));
  AGENTLOCK_TRY(origin_text, text_of(row, "page_origin"));
  AGENTLOCK_TRY(action, text_of(row, "action"));
  AGENTLOCK_TRY(value, text_of(row, "value"));

  Ledger ledger(Ledger::kDefaultMaxPageBytes, mode);
  if (!user_text.empty()) ledger.record_operator(std::move(user_text), "user_text");
  for (const Json& entry : row.value("allowlist", Json::array())) {
    if (!entry.is_string()) return fail(ErrorCode::kInvalidArgument, "allowlist holds no texts");
    const auto text = entry.get<std::string>();
    if (text.find("://") == std::string::npos) continue;
    if (const auto origin = Origin::parse_entry(text))
      ledger.record_allowlist(*origin, "allowlist");
  }
  const Origin page = page_origin_of(origin_text);
  if (!page_text.empty()) {
    AGENTLOCK_TRY(recorded, ledger.record_page(std::move(page_text), page, "page_text"));
    static_cast<void>(recorded);
  }

  Policy policy;
  policy.lineage_mode = mode;
  const Gate gate(policy, ledger);
  Verdict verdict;
  if (action == "navigate") {
    verdict = gate.navigate(value).verdict;
  } else if (action == "type") {
    // A site to type into: an opaque origin equals none, not even its own frames.
    const Origin site = page.is_opaque() ? page_origin_of("https://page.invalid") : page;
    verdict = gate.type(value, site, site);
  } else {
    return fail(ErrorCode::kInvalidArgument, "action is neither navigate nor type");
  }
  return Json{{"decision", verdict.allowed() ? "allow" : "deny"},
              {"channel", std::string(to_string(verdict.channel))},
              {"reason", verdict.reason},
              {"rule", rule_of(verdict)}};
}

}  // namespace

int check_rows(std::istream& input, std::ostream& output, LineageMode mode) {
  int exit_code = 0;
  std::string line;
  for (Line kind = read_line(input, line, kMaxLine); kind != Line::kEnd;
       kind = read_line(input, line, kMaxLine)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json written = {{"id", nullptr}};
    const Json row = kind == Line::kWhole ? Json::parse(line, nullptr, false) : Json();
    Result<Json> answered =
        fail(ErrorCode::kInvalidArgument,
             kind == Line::kWhole ? "the line is not an object" : "the line is longer than 64 MiB");
    if (row.is_object()) {
      if (const auto id = row.find("id"); id != row.end()) written["id"] = *id;
      answered = answer(row, mode);
    }
    if (answered) {
      written.update(*answered);
    } else {
      written["error"] = answered.error().describe();
      exit_code = 1;
    }
    output << to_line(written) << '\n';
  }
  output.flush();
  return output.good() ? exit_code : 1;
}

}  // namespace agentlock::cli
