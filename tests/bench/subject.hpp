#pragma once

#include <array>
#include <memory>

#include "agentlock/ledger.hpp"
#include "agentlock/policy.hpp"

namespace agentlock::bench {

// What is measured, for each lineage mode.

inline constexpr std::array kModes = {LineageMode::kAgentlock, LineageMode::kClosed};

inline Policy policy_of(LineageMode mode) {
  Policy policy;
  policy.lineage_mode = mode;
  return policy;
}

/// A ledger as the server makes it, with room for the benchmark's texts.
inline std::unique_ptr<Ledger> make_ledger(const Policy& policy) {
  return std::make_unique<Ledger>(std::size_t{1} << 30U, policy.lineage_mode);
}

}  // namespace agentlock::bench
