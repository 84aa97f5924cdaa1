#include "agentlock/receipt_check.hpp"

#include <nlohmann/json.hpp>

namespace agentlock {
namespace {

constexpr std::size_t kHmacHexSize = 64;

}  // namespace

CheckedReceipt check_receipt(const Json& line, const PublicKey* key, std::string_view key_id,
                             const SigningKey* secret) {
  using State = ReceiptCheck::State;
  const Json* value = member(line, "receipt");
  if (value == nullptr) return {{State::kBad, "a decision without a receipt"}, std::nullopt};
  auto read = receipt_of(*value);
  if (!read) return {{State::kBad, read.error().message()}, std::nullopt};
  if (key == nullptr) return {{State::kUnchecked, "its session names no key"}, std::move(*read)};
  if (read->signing_key_id != key_id) {
    return {{State::kBad, "its receipt names another key"}, std::move(*read)};
  }
  const bool is_hmac = read->signature.size() == kHmacHexSize;
  if (is_hmac && secret == nullptr) {
    return {{State::kUnchecked, "HMAC-SHA256, which only the secret can check"}, std::move(*read)};
  }
  if (is_hmac ? !verify_hmac_receipt(*read, *secret) : !verify_receipt(*read, *key)) {
    return {{State::kBad, "its receipt's signature is not the session key's"}, std::move(*read)};
  }
  return {{State::kVerifies, ""}, std::move(*read)};
}

}  // namespace agentlock
