#pragma once

#include <optional>
#include <string_view>

#include "agentlock/receipt.hpp"
#include "agentlock/verify.hpp"
#include "base/json.hpp"

namespace agentlock {

struct CheckedReceipt {
  ReceiptCheck check;
  std::optional<Receipt> receipt;  ///< if it could be read
};

/// The receipt in a decision's line. `key` is its session's, null if that is not known,
/// and `key_id` what the session calls it. `secret` is null if there is none, and then
/// HMAC-SHA256 receipts stay unchecked.
CheckedReceipt check_receipt(const Json& line, const PublicKey* key, std::string_view key_id,
                             const SigningKey* secret);

}  // namespace agentlock
