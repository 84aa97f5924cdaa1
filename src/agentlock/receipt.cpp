#include "agentlock/receipt.hpp"

#include <nlohmann/json.hpp>
#include <sodium.h>

#include "agentlock/joined.hpp"
#include "agentlock/receipt_signature.hpp"
#include "base/json.hpp"
#include "base/random_id.hpp"

namespace agentlock {

// agentlock-engine.md, section 10, "Signed bytes".
Result<std::string> signed_bytes(const Receipt& receipt) {
  return join_by_nul({receipt.receipt_id, six_decimals(receipt.timestamp), receipt.decision,
                      receipt.tool_name, receipt.user_id, receipt.role, receipt.parameters_hash,
                      receipt.reason, receipt.policy_version_hash, receipt.context_hash,
                      receipt.trust_ceiling.value_or(""), receipt.signing_key_id});
}

Result<Receipt> sign(Receipt receipt, const SigningKey& key, SigningMethod method) {
  AGENTLOCK_TRY(bytes, signed_bytes(receipt));
  receipt.signature = method == SigningMethod::kEd25519 ? key.sign(bytes) : key.hmac(bytes);
  return receipt;
}

Result<Receipt> issue(Receipt receipt, const SigningKey& key, SigningMethod method) {
  receipt.receipt_id = "rcpt_" + random_hex(12);
  receipt.signing_key_id = key.key_id();
  return sign(std::move(receipt), key, method);
}

bool verify_receipt(const Receipt& receipt, const PublicKey& key) {
  const auto bytes = signed_bytes(receipt);
  return bytes && key.verifies(*bytes, receipt.signature);
}

bool verify_hmac_receipt(const Receipt& receipt, const SigningKey& key) {
  const auto bytes = signed_bytes(receipt);
  if (!bytes) return false;
  const std::string expected = key.hmac(*bytes);
  return receipt.signature.size() == expected.size() &&
         sodium_memcmp(receipt.signature.data(), expected.data(), expected.size()) == 0;
}

Json to_json(const Receipt& receipt) {
  Json json = Json::object();
  json["receipt_id"] = receipt.receipt_id;
  json["timestamp"] = receipt.timestamp;
  json["decision"] = receipt.decision;
  json["tool_name"] = receipt.tool_name;
  json["user_id"] = receipt.user_id;
  json["role"] = receipt.role;
  json["parameters_hash"] = receipt.parameters_hash;
  json["reason"] = receipt.reason;
  json["policy_version_hash"] = receipt.policy_version_hash;
  json["context_hash"] = receipt.context_hash;
  json["trust_ceiling"] = nullptr;
  if (receipt.trust_ceiling) json["trust_ceiling"] = *receipt.trust_ceiling;
  json["signing_key_id"] = receipt.signing_key_id;
  json["signature"] = receipt.signature;
  json["metadata"] = Json::object();
  return json;
}

Result<Receipt> receipt_of(const Json& json) {
  Receipt receipt;
  const std::pair<const char*, std::string*> texts[] = {
      {"receipt_id", &receipt.receipt_id},
      {"decision", &receipt.decision},
      {"tool_name", &receipt.tool_name},
      {"user_id", &receipt.user_id},
      {"role", &receipt.role},
      {"parameters_hash", &receipt.parameters_hash},
      {"reason", &receipt.reason},
      {"policy_version_hash", &receipt.policy_version_hash},
      {"context_hash", &receipt.context_hash},
      {"signing_key_id", &receipt.signing_key_id},
      {"signature", &receipt.signature},
  };
  for (const auto& [name, text] : texts) {
    const Json* value = member(json, name);
    if (value == nullptr || !value->is_string()) {
      return fail(ErrorCode::kProtocol, "a receipt without the text " + std::string(name));
    }
    *text = value->get<std::string>();
  }
  const Json* timestamp = member(json, "timestamp");
  if (timestamp == nullptr || !timestamp->is_number()) {
    return fail(ErrorCode::kProtocol, "a receipt without the number timestamp");
  }
  receipt.timestamp = timestamp->get<double>();
  const Json* ceiling = member(json, "trust_ceiling");
  if (ceiling == nullptr || !(ceiling->is_null() || ceiling->is_string())) {
    return fail(ErrorCode::kProtocol, "a receipt without trust_ceiling (a text or null)");
  }
  if (ceiling->is_string()) receipt.trust_ceiling = ceiling->get<std::string>();
  return receipt;
}

}  // namespace agentlock
