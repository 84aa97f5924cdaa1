#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/origin.hpp"
#include "agentlock/parameters.hpp"
#include "agentlock/policy.hpp"
#include "agentlock/result.hpp"
#include "agentlock/signing_key.hpp"

namespace agentlock {

/// A signed statement that one decision was made, in AgentLock's own format: its
/// published verifier accepts ours. docs/decision-log.md has the signed bytes.
struct Receipt {
  std::string receipt_id;           ///< rcpt_ and 24 hex digits
  double timestamp = 0;             ///< seconds since 1970
  std::string decision;             ///< allow or deny
  std::string tool_name;            ///< browser.navigate, ...
  std::string user_id;              ///< who acts; a name of the caller's choice
  std::string role;                 ///< likewise
  std::string parameters_hash;      ///< parameters_hash() of what was submitted
  std::string reason;               ///< of a denial; empty on an allow
  std::string policy_version_hash;  ///< policy_version_hash() of the policy in force
  std::string context_hash;         ///< ContextChain::head() at the decision
  std::optional<std::string> trust_ceiling;
  std::string signing_key_id;
  std::string signature;  ///< hex: 64 bytes (Ed25519) or 32 (HMAC-SHA256)
};

/// Signs `receipt` after giving it a fresh id, the key's id and, as `method` says, a
/// signature over all fields. The caller has set all others. kInvalidArgument if a
/// text holds a NUL or is not UTF-8.
Result<Receipt> issue(Receipt receipt, const SigningKey& key, SigningMethod method);

/// True if the receipt's Ed25519 signature is by the key with this public half.
bool verify_receipt(const Receipt& receipt, const PublicKey& key);

/// True if the receipt's HMAC-SHA256 signature is by this key.
bool verify_hmac_receipt(const Receipt& receipt, const SigningKey& key);

/// The receipt as the JSON object that stands in the decision log. Its `metadata`
/// is always {}: nothing that is not signed is said there.
nlohmann::ordered_json to_json(const Receipt& receipt);

/// The reverse. kProtocol names the first member that is missing or of another type.
Result<Receipt> receipt_of(const nlohmann::ordered_json& json);

/// AgentLock's hash of a call's parameters: empty for null or no parameters, else
/// SHA-256 (lowercase hex) of how Python prints the list of (name, value) pairs,
/// sorted by name at the top level only.
std::string parameters_hash(const Parameter& parameters);

/// SHA-256 (lowercase hex) of the policy in force as JSON: the modes, whether people
/// are asked, and the allowlist, in whatever order it is given.
std::string policy_version_hash(const Policy& policy, std::span<const Origin> allowlist);

}  // namespace agentlock
