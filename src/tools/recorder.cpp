#include "tools/recorder.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "agentlock/disclosure.hpp"
#include "agentlock/log_events.hpp"
#include "base/encoding.hpp"
#include "base/log.hpp"
#include "base/random_id.hpp"

namespace agentlock::tools {
namespace {

constexpr std::string_view kUserId = "agentlock-browser";
// As an escape a byte takes six, and a line of the log has a bound.
constexpr std::size_t kMaxLoggedContent = std::size_t{2} << 20U;
// Of the tokens that a prompt's log line lists, and the bytes of one.
constexpr std::size_t kMaxEchoes = 20;
constexpr std::size_t kMaxEcho = 200;

// Source: agentlock-engine.md, section 9, "Audit record".
std::string audit_id(double now) {
  const auto seconds = static_cast<std::time_t>(std::floor(now));
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 16> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d", &utc);
  return "agentlock-" + std::string(date.data()) + "-" + random_hex(4);
}

std::chrono::year_month_day local_day(double now) {
  const auto seconds = static_cast<std::time_t>(now);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return {std::chrono::year(local.tm_year + 1900),
          std::chrono::month(static_cast<unsigned>(local.tm_mon + 1)),
          std::chrono::day(static_cast<unsigned>(local.tm_mday))};
}

Json to_json(const LineageEvidence& evidence) {
  Json json = {{"gate", evidence.gate}};
  const auto put = [&json](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  put("rule", evidence.rule);
  put("matched_param", evidence.matched_param);
  put("matched_kind", evidence.matched_kind);
  put("matched_token", evidence.matched_token);
  put("matched_value", evidence.matched_value);
  put("classification", evidence.classification);
  put("match_direction", evidence.match_direction);
  put("untrusted_provenance_id", evidence.untrusted_provenance_id);
  put("untrusted_source_ref", evidence.untrusted_source_ref);
  put("element", evidence.element);
  return json;
}

Json to_json(const GrantBasis& basis) {
  // The closed modes name one rule, the exact one the outcome of both checks.
  if (!basis.rule.empty()) return {{"rule", basis.rule}};
  return {{"param_lineage", basis.param_lineage}, {"novel_lineage", basis.novel_lineage}};
}

Json decision_fields(const Action& action, const Decided& decided) {
  const Verdict& verdict = decided.verdict;
  Json fields = {{"action", action.name},
                 {"parameters", {{action.parameter, action.value}}},
                 {"decision", verdict.allowed() ? "allow" : "deny"},
                 {"decided_by", std::string(to_string(verdict.decided_by))},
                 {"channel", std::string(to_string(verdict.channel))},
                 {"reason", verdict.reason},
                 {"confirmation", decided.confirmation}};
  if (!action.href.empty()) fields["href"] = action.href;
  if (verdict.origin) fields["origin"] = verdict.origin->serialize();
  if (!verdict.cause.empty()) fields["cause"] = verdict.cause;
  if (!verdict.detail.empty()) fields["detail"] = verdict.detail;
  if (verdict.fail_open) fields["fail_open"] = true;
  if (verdict.evidence) fields["lineage_evidence"] = to_json(*verdict.evidence);
  if (verdict.basis) fields["grant_basis"] = to_json(*verdict.basis);
  fields["audit_id"] = decided.audit_id;
  return fields;
}

}  // namespace

Recorder::Recorder(Setup setup, Ledger& ledger) : setup_(std::move(setup)), ledger_(ledger) {}

// Everything that may throw is done on copies, so that chain and log go on together or
// not at all.
void Recorder::keep(const Ledger::Entry& entry, const Json& more) {
  ContextChain chain = chain_;
  const bool as_text = entry.channel != Channel::kPage || setup_.log_page_text;
  auto line = provenance_event(chain, entry, kUserId, setup_.log->now(),
                               as_text && entry.content.size() <= kMaxLoggedContent);
  // A tool's name and our own words hold no NUL, the one thing that is refused.
  if (!line) throw std::logic_error(line.error().describe());
  line->update(more);
  pending_.push_back({"provenance", std::move(*line)});
  chain_ = std::move(chain);
}

void Recorder::remember(const Ledger::Recorded& recorded, const Json& more) {
  // Without a log there are no receipts either, and nothing to be kept for them.
  if (!recorded.fresh || setup_.log->failure()) return;
  try {
    keep(*recorded.entry, more);
  } catch (...) {
    // The ledger would know an entry that the log will never tell of.
    ledger_.mark_broken();
    throw;
  }
  if (!started_) return;
  if (const auto written = flush(); !written) log::error(written.error().describe());
}

Result<void> Recorder::flush() {
  while (!pending_.empty()) {
    if (auto written = setup_.log->append(pending_.front().name, pending_.front().fields); !written)
      return written;
    pending_.pop_front();
  }
  return {};
}

void Recorder::record_operator(std::string text) {
  if (text.empty()) return;
  remember(ledger_.record_operator(std::move(text), "operator_text", local_day(setup_.log->now())));
}

Result<std::size_t> Recorder::record_prompt(const OperatorPrompt& prompt, const std::string& way,
                                            double said_at) {
  AGENTLOCK_TRY(prompted, ledger_.record_prompt(prompt, way, local_day(said_at)));
  ++prompts_;
  Json more = {{"said_at", said_at}};
  if (prompted.quoted != nullptr) remember({prompted.quoted, true}, more);
  if (!prompted.echoes.empty()) {
    Json& echoes = more["echoes"] = Json::array();
    for (const std::string& echo : prompted.echoes) {
      if (echoes.size() < kMaxEchoes) echoes.push_back(std::string(utf8_prefix(echo, kMaxEcho)));
    }
  }
  if (prompted.own != nullptr) remember({prompted.own, true}, more);
  return prompted.echoes.size();
}

void Recorder::forget_prompts() { ledger_.forget_prompts(); }

void Recorder::record_allowlist(const Origin& origin) {
  remember(ledger_.record_allowlist(origin, "allowlist"));
}

void Recorder::record_confirmed(Ledger::Yes yes) {
  remember(ledger_.record_confirmed(std::move(yes), "confirmation"));
}

void Recorder::record_trusted(const Origin& origin) {
  remember(ledger_.record_allowlist(origin, "trust_origin_session"));
}

Result<Json> Recorder::hand_over(const Draft& draft, std::string_view tool) {
  auto disclosed = disclose(draft, ledger_, tool);
  if (!disclosed) return tl::unexpected(disclosed.error());
  for (const Ledger::Entry* entry : disclosed->recorded) remember({entry, true});
  return std::move(disclosed->json);
}

Result<void> Recorder::record_page(const PageText& text, std::string_view source) {
  AGENTLOCK_TRY(recorded, record(text, ledger_, source));
  remember(recorded);
  return {};
}

Result<void> Recorder::append(std::string_view event, const Json& fields) {
  started_ = true;
  auto written = flush();
  if (written) written = setup_.log->append(event, fields);
  if (!written) log::error(written.error().describe());
  return written;
}

Decided Recorder::decide(const Action& action, Verdict verdict, std::string_view confirmation) {
  Decided decided{.verdict = std::move(verdict),
                  .confirmation = std::string(confirmation),
                  .receipt_id = "",
                  .audit_id = audit_id(setup_.log->now()),
                  .target = std::nullopt,
                  .href = ""};
  Receipt receipt;
  receipt.timestamp = setup_.log->now();
  receipt.decision = decided.allowed() ? "allow" : "deny";
  receipt.tool_name = action.name;
  receipt.user_id = kUserId;
  receipt.role = setup_.role;
  receipt.parameters_hash = parameters_hash(text_parameters(action.parameter, action.value));
  receipt.reason = decided.verdict.reason;
  receipt.policy_version_hash = setup_.policy_hash;
  receipt.context_hash = chain_.head();
  auto issued = issue(std::move(receipt), *setup_.key, setup_.method);

  Result<void> written;
  if (issued) {
    decided.receipt_id = issued->receipt_id;
    Json fields = decision_fields(action, decided);
    fields["receipt"] = to_json(*issued);
    written = append("decision", fields);
  } else {
    written = tl::unexpected(issued.error());
  }
  if (!written) {
    decided.verdict =
        refuse(DecidedBy::kLog, "log_unavailable",
               "Nothing may be done that can't be written down: " + written.error().describe());
    decided.confirmation = "";
    decided.receipt_id = "";
  }
  return decided;
}

Result<void> Recorder::note(std::string_view event, const Json& fields) {
  return append(event, fields);
}

void Recorder::remark(std::string_view event, Json fields) {
  pending_.push_back({std::string(event), std::move(fields)});
  if (!started_) return;
  if (const auto written = flush(); !written) log::error(written.error().describe());
}

void Recorder::checkpoint_if_due() {
  if (!started_) return;
  if (const auto done = setup_.log->checkpoint_if_due(); !done) {
    log::error(done.error().describe());
  }
}

void Recorder::end(std::string_view why) {
  if (!started_) return;
  const Json fields = {{"why", std::string(why)}};
  if (const auto done = setup_.log->end(fields); !done) log::error(done.error().describe());
}

}  // namespace agentlock::tools
