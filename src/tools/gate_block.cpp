#include "tools/gate_block.hpp"

#include <nlohmann/json.hpp>

#include "tools/schema.hpp"

namespace agentlock::tools {

Draft gate_block(const Decided& decided) {
  const Verdict& verdict = decided.verdict;
  Draft block = Draft::object();
  block.set("allowed", verdict.allowed());
  block.set("decision", OwnText(std::string_view(verdict.allowed() ? "allow" : "deny")));
  block.set("channel", OwnText(to_string(verdict.channel)));
  block.set("decided_by", OwnText(to_string(verdict.decided_by)));
  if (!verdict.allowed()) {
    block.set("reason", OwnText(verdict.reason));
    block.set("detail", OwnText(verdict.detail));
    if (verdict.origin) {
      block.set("origin", PageText(verdict.origin->serialize(), *verdict.origin));
    }
  }
  if (!verdict.allowed() || !decided.confirmation.empty()) {
    block.set("confirmation", OwnText(decided.confirmation));
  }
  if (verdict.fail_open) block.set("fail_open", true);
  if (!verdict.cause.empty()) block.set("cause", OwnText(verdict.cause));
  if (decided.target) block.set("target", *decided.target);
  if (!decided.receipt_id.empty()) block.set("receipt_id", OwnText(decided.receipt_id));
  if (!verdict.allowed()) block.set("audit_id", OwnText(decided.audit_id));
  return block;
}

Draft gate_blocks(const std::vector<Decided>& decided) {
  Draft blocks = Draft::array();
  for (const Decided& one : decided) blocks.push(gate_block(one));
  return blocks;
}

Json gate_block_schema() {
  return object_schema({{"allowed", boolean_schema()},
                        {"decision", text_schema()},
                        {"channel", text_schema()},
                        {"decided_by", text_schema()},
                        {"reason", text_schema()},
                        {"detail", text_schema()},
                        {"origin", text_schema()},
                        {"confirmation", text_schema()},
                        {"fail_open", boolean_schema()},
                        {"cause", text_schema()},
                        {"target", text_schema()},
                        {"receipt_id", text_schema()},
                        {"audit_id", text_schema()}},
                       {"allowed", "decision", "channel", "decided_by"});
}

}  // namespace agentlock::tools
