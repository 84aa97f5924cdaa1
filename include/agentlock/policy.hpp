#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace agentlock {

/// How a value's origin is worked out. Source: gate.md, sections 3 to 5.
enum class LineageMode {
  kAgentlock,  ///< exactly as the published engine does, its holes included
  kClosed,     ///< and those holes closed
  kRequire,    ///< only what traces positively and whole
};

std::string_view to_string(LineageMode mode);
std::optional<LineageMode> lineage_mode_of(std::string_view name);

/// What a page may cause at the top level of a tab. Source: gate.md, "Hops".
enum class HopPolicy {
  kUsual,   ///< to allowlisted origins, http to https, apex to www
  kStrict,  ///< nothing
};

std::string_view to_string(HopPolicy policy);
std::optional<HopPolicy> hop_policy_of(std::string_view name);

/// The settings that decide. What else the operator configured changes how things
/// are done, never whether.
struct Policy {
  LineageMode lineage_mode = LineageMode::kClosed;
  HopPolicy hop_policy = HopPolicy::kUsual;
  /// Ask about values that nothing accounts for. In `closed` they are then refused
  /// wherever no yes comes (attacks.md A2).
  bool confirm_unclassified = false;
  /// A longer value or URL is refused unseen (attacks.md A31), in code points.
  std::size_t max_value = 10'000;
  std::size_t max_url = 8'192;
};

}  // namespace agentlock
