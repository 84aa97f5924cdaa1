#pragma once

#include <string>
#include <string_view>

#include "agentlock/result.hpp"

namespace agentlock {

/// The hash chain over what a session was told and read, in order: a receipt that
/// names its head pins everything recorded before the decision.
class ContextChain {
 public:
  /// Starts at SHA-256 of nothing.
  ContextChain();

  /// Hash of the last entry, 64 lowercase hex digits.
  const std::string& head() const { return head_; }

  /// Adds an entry and returns the new head: SHA-256 of the head before it,
  /// `content_hash`, `source`, `authority`, `writer_id` and the timestamp (seconds since
  /// 1970) with six decimals, joined by single NUL bytes. kInvalidArgument if a text holds a NUL,
  /// which would let two different entries have one hash; the head stays then.
  Result<std::string> add(std::string_view content_hash, std::string_view source,
                          std::string_view authority, std::string_view writer_id, double timestamp);

 private:
  std::string head_;
};

}  // namespace agentlock
