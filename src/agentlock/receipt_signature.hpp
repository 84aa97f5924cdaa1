#pragma once

#include <string>

#include "agentlock/receipt.hpp"
#include "agentlock/result.hpp"

namespace agentlock {

/// What a receipt's signature covers: its fields from receipt_id to signing_key_id in
/// their order, the timestamp with six decimals, missing ones empty, joined by single
/// NUL bytes. kInvalidArgument as for issue().
Result<std::string> signed_bytes(const Receipt& receipt);

/// Signs a receipt as it stands, its id and key id included.
Result<Receipt> sign(Receipt receipt, const SigningKey& key, SigningMethod method);

}  // namespace agentlock
