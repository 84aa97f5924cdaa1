#include "agentlock/log_agreement.hpp"

#include <nlohmann/json.hpp>

#include "agentlock/parameters.hpp"
#include "agentlock/sha256.hpp"

namespace agentlock {
namespace {

std::optional<std::string> text_at(const Json& object, std::string_view name) {
  const Json* value = member(object, name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

std::optional<double> number_at(const Json& object, std::string_view name) {
  const Json* value = member(object, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string differs(std::string_view name, std::string_view from) {
  return "its " + std::string(name) + " is not that of " + std::string(from);
}

/// What the receipt was signed for: AgentLock's hash of the line's `parameters`.
std::optional<std::string> hash_of_parameters(const Json& line) {
  const Json* value = member(line, "parameters");
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const auto parameters = parse_parameters(to_line(*value));
  if (!parameters) return std::nullopt;
  return parameters_hash(*parameters);
}

}  // namespace

LogAgreement::Contradiction LogAgreement::start(const Json& line, const PublicKey& key) {
  policy_hash_ = text_at(line, "policy_version_hash");
  if (const Json* config = member(line, "config")) role_ = text_at(*config, "role");
  if (string_member(line, "signing_key_id") != key.key_id()) {
    return differs("signing_key_id", "its public_key");
  }
  return std::nullopt;
}

LogAgreement::Contradiction LogAgreement::provenance(const Json& line) {
  const std::string content_hash = string_member(line, "content_hash");
  if (const auto content = text_at(line, "content")) {
    if (sha256_hex(*content) != content_hash) return differs("content_hash", "its content");
    const Json* bytes = member(line, "bytes");
    if (bytes == nullptr || *bytes != content->size()) return differs("bytes", "its content");
  }
  const bool from_page = string_member(line, "channel") == "PAGE";
  const std::string authority = string_member(line, "authority");
  if (authority != (from_page ? "untrusted" : "authoritative")) {
    return differs("authority", "its channel");
  }
  const auto timestamp = number_at(line, "timestamp");
  const auto head = context_.add(content_hash, string_member(line, "source"), authority,
                                 string_member(line, "writer_id"), timestamp.value_or(0));
  if (!timestamp || !head || *head != string_member(line, "context_hash")) {
    return "its context_hash does not follow from its other members and the entry before it";
  }
  return std::nullopt;
}

LogAgreement::Contradiction LogAgreement::decision(const Json& line, const Receipt& receipt) {
  constexpr std::string_view kReceipt = "its receipt";
  if (text_at(line, "action") != receipt.tool_name) return differs("action", kReceipt);
  if (hash_of_parameters(line) != receipt.parameters_hash) return differs("parameters", kReceipt);
  if (text_at(line, "decision") != receipt.decision) return differs("decision", kReceipt);
  if (text_at(line, "reason") != receipt.reason) return differs("reason", kReceipt);
  const auto ts = number_at(line, "ts");
  if (!ts || !(receipt.timestamp <= *ts)) return "its receipt is of a later time than itself";
  if (receipt.timestamp < last_decision_) {
    return "its receipt is of an earlier time than that of the decision before it";
  }
  last_decision_ = receipt.timestamp;
  if (policy_hash_.value_or(receipt.policy_version_hash) != receipt.policy_version_hash) {
    return "its receipt's policy_version_hash is not that of session_start";
  }
  if (role_.value_or(receipt.role) != receipt.role) {
    return "its receipt's role is not that of session_start";
  }
  if (receipt.context_hash != context_.head()) {
    return "its receipt's context_hash is not that of the provenance before it";
  }
  return std::nullopt;
}

}  // namespace agentlock
