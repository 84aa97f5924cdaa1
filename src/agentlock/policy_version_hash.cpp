#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "agentlock/receipt.hpp"
#include "agentlock/sha256.hpp"
#include "base/json.hpp"

namespace agentlock {

// Members in alphabetical order and origins sorted, so that one policy has one hash.
// Source: gate.md, section 8.
std::string policy_version_hash(const Policy& policy, std::span<const Origin> allowlist) {
  std::vector<std::string> origins;
  for (const Origin& origin : allowlist) origins.push_back(origin.serialize());
  std::ranges::sort(origins);
  const Json json = {{"allowlist", origins},
                     {"confirm_unclassified", policy.confirm_unclassified},
                     {"hop_policy", std::string(to_string(policy.hop_policy))},
                     {"lineage_mode", std::string(to_string(policy.lineage_mode))}};
  return sha256_hex(to_line(json));
}

}  // namespace agentlock
