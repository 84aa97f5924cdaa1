#pragma once

#include <optional>
#include <string>

#include "agentlock/context_chain.hpp"
#include "agentlock/receipt.hpp"
#include "agentlock/signing_key.hpp"
#include "base/json.hpp"

namespace agentlock {

/// What a session's lines say of the same thing in two places must be the same. The
/// chain proves that no line was changed after it was signed; this also finds what was
/// written wrongly, and what was changed in lines that no signature covers yet but a
/// receipt does. Source: docs/decision-log.md, "What is said twice".
class LogAgreement {
 public:
  /// In words, what contradicts what.
  using Contradiction = std::optional<std::string>;

  /// session_start and the key that it names.
  Contradiction start(const Json& line, const PublicKey& key);
  /// A provenance line, by itself and with those before it.
  Contradiction provenance(const Json& line);
  /// A decision's line and its receipt, whose signature holds.
  Contradiction decision(const Json& line, const Receipt& receipt);

 private:
  std::optional<std::string> policy_hash_;
  std::optional<std::string> role_;
  ContextChain context_;
  double last_decision_ = 0;  // by its receipt
};

}  // namespace agentlock
