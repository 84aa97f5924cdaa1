#include "agentlock/policy.hpp"

#include "agentlock/channel.hpp"

namespace agentlock {

std::string_view to_string(Channel channel) {
  switch (channel) {
    case Channel::kUser:
      return "USER";
    case Channel::kUserConfirmed:
      return "USER_CONFIRMED";
    case Channel::kAllowlist:
      return "ALLOWLIST";
    case Channel::kPage:
      return "PAGE";
    case Channel::kModel:
      return "MODEL";
    case Channel::kUnclassified:
      return "UNCLASSIFIED";
  }
  return "UNCLASSIFIED";
}

std::string_view to_string(LineageMode mode) {
  switch (mode) {
    case LineageMode::kAgentlock:
      return "agentlock";
    case LineageMode::kClosed:
      return "closed";
    case LineageMode::kRequire:
      return "require";
  }
  return "closed";
}

std::optional<LineageMode> lineage_mode_of(std::string_view name) {
  for (const auto mode : {LineageMode::kAgentlock, LineageMode::kClosed, LineageMode::kRequire}) {
    if (name == to_string(mode)) return mode;
  }
  return std::nullopt;
}

std::string_view to_string(HopPolicy policy) {
  return policy == HopPolicy::kStrict ? "strict" : "usual";
}

std::optional<HopPolicy> hop_policy_of(std::string_view name) {
  for (const auto policy : {HopPolicy::kUsual, HopPolicy::kStrict}) {
    if (name == to_string(policy)) return policy;
  }
  return std::nullopt;
}

}  // namespace agentlock
