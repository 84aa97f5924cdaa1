#include "fuzz/genuine_log.hpp"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "agentlock/ledger.hpp"
#include "agentlock/log_events.hpp"
#include "agentlock/log_line.hpp"
#include "agentlock/receipt_signature.hpp"
#include "unit/agentlock/log_support.hpp"

namespace agentlock::fuzz {
namespace {

void must(const Result<void>& result) {
  if (!result) std::abort();
}

// With an id of its own making, so that the log is the same at each start.
Json decision(const SigningKey& key, SigningMethod method, std::string_view verdict,
              std::string_view id, const ContextChain& context = {}) {
  Receipt receipt;
  receipt.receipt_id = "rcpt_" + std::string(id);
  receipt.timestamp = 1754500000.25;
  receipt.decision = verdict;
  receipt.tool_name = "browser.navigate";
  receipt.user_id = "agentlock-browser";
  receipt.role = "operator";
  receipt.parameters_hash = parameters_hash(text_parameters("url", "http://evil.test/x"));
  receipt.reason = verdict == "deny" ? "param_lineage" : "";
  receipt.context_hash = context.head();
  receipt.signing_key_id = key.key_id();
  return decision_event({{"url", "http://evil.test/x"}}, *sign(receipt, key, method));
}

GenuineLog write() {
  GenuineLog genuine{test::test_key(), "", {}};
  const SigningKey& key = genuine.key;
  test::ModelFile file;
  test::ModelClock clock;
  test::ModelLog first(file, key, clock, "als_AAAAAAAAAAAAAAAAAAAAAAAAAAA");
  test::ModelLog second(file, key, clock, "als_BBBBBBBBBBBBBBBBBBBBBBBBBBB");
  constexpr auto kEd25519 = SigningMethod::kEd25519;
  constexpr auto kHmac = SigningMethod::kHmacSha256;

  Ledger ledger;
  ContextChain said;
  const auto* entry = ledger.record_operator("\u00e4\n\x7f\"", "operator_text").entry;
  auto provenance = *provenance_event(said, *entry, "agentlock-browser", 1754500000.25, true);
  provenance["provenance_id"] = "cprov_0000000000000000";
  must(first.log.append("provenance", provenance));
  must(first.log.append("decision",
                        decision(key, kEd25519, "allow", "000000000000000000000001", said)));
  clock.advance(2);
  must(second.log.append("decision", decision(key, kHmac, "deny", "000000000000000000000002")));
  clock.advance(4);
  if (!first.log.checkpoint_if_due()) std::abort();
  clock.seconds -= 3600;
  must(second.log.append("browser", {{"version", "156"}}));
  must(first.log.append("decision",
                        decision(key, kEd25519, "deny", "000000000000000000000003", said)));
  must(first.log.end({{"why", "end of input"}}));
  must(second.log.append("decision", decision(key, kEd25519, "allow", "000000000000000000000004")));
  must(second.log.end({{"why", "signal 15"}}));

  genuine.text = file.bytes;
  for (const std::string& line : test::lines_of(genuine.text)) {
    genuine.sessions[session_of(line)].push_back(line);
  }
  return genuine;
}

}  // namespace

const GenuineLog& genuine_log() {
  static const GenuineLog genuine = write();
  return genuine;
}

std::string session_of(const std::string& line) {
  if (!line.starts_with(kLogLineStart) || !split_line(line)) return "";
  const std::size_t begin = kLogLineStart.size();
  const std::size_t end = line.find('"', begin);
  return line.substr(begin, end - begin);
}

}  // namespace agentlock::fuzz
