#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/channel.hpp"
#include "agentlock/page_search.hpp"
#include "agentlock/policy.hpp"
#include "agentlock/url.hpp"

namespace agentlock {

class Ledger;

/// Where a value comes from, and by which rule.
struct Traced {
  Channel channel = Channel::kModel;
  std::string rule;
  std::string matched;  ///< the part that decided
  std::optional<PageFind> page;
};

// The modes that close the published engine's holes. docs/lineage.md names the rules.
// Source: gate.md, sections 4 and 5. `mode` is closed or require.

/// A value to be typed. `earlier`: what was typed into the same form since the page was
/// loaded, in order (attacks.md A26).
Traced trace_value(const Ledger& ledger, LineageMode mode, std::string_view value,
                   const std::vector<std::string>& earlier);

/// The address of a navigation whose origin is not on the allowlist.
Traced trace_url(const Ledger& ledger, LineageMode mode, const Url& target);

/// Data that pages of other sites alone supplied, in an address of an allowlisted
/// origin; nothing if there is none (attacks.md A7).
std::optional<Traced> trace_carried(const Ledger& ledger, const Url& target);

/// Under `require`, what is unclassified is the page's if it says a word of it that the
/// operator doesn't, and else the model's.
Traced require_part(const Ledger& ledger, std::string_view value, Traced traced);

}  // namespace agentlock
