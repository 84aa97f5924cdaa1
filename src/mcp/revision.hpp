#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace agentlock::mcp {

/// The revisions of MCP that are served, oldest first, so that "since" is `>=`.
enum class Revision {
  k2024_11_05,
  k2025_03_26,
  k2025_06_18,
  k2025_11_25,
  /// No handshake: every request carries an envelope in its `_meta`.
  k2026_07_28,
};

/// Newest first, as server/discover lists them.
inline constexpr std::array kRevisions = {
    Revision::k2026_07_28, Revision::k2025_11_25, Revision::k2025_06_18,
    Revision::k2025_03_26, Revision::k2024_11_05,
};

/// What a client that asks for an unknown version in `initialize` is offered.
inline constexpr Revision kLatestHandshake = Revision::k2025_11_25;

std::string_view to_string(Revision revision);

/// The revision of that name, or nothing if it is not served.
std::optional<Revision> revision_of(std::string_view name);

/// Requests carry the envelope and every result its type.
constexpr bool is_stateless(Revision revision) { return revision >= Revision::k2026_07_28; }

/// Arrays of messages: 2025-03-26 brought them, 2025-06-18 took them away.
constexpr bool has_batches(Revision revision) { return revision == Revision::k2025_03_26; }

/// A tool's `annotations`.
constexpr bool has_annotations(Revision revision) { return revision >= Revision::k2025_03_26; }

/// `title`, `outputSchema` and `structuredContent`.
constexpr bool has_structured_results(Revision revision) {
  return revision >= Revision::k2025_06_18;
}

}  // namespace agentlock::mcp
