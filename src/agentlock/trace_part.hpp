#pragma once

#include <string_view>

#include "agentlock/closed_lineage.hpp"

namespace agentlock {

/// How the parts of a value are looked for in page text.
struct PartSearch {
  PageSearch tokens;         ///< addresses, codes, what is encoded
  PageSearch words;          ///< words without anything distinctive
  bool single_words = true;  ///< one plain word that a page shows counts
};

/// One value, or one part of an address, by itself: the order of gate.md, section 4.
/// UNCLASSIFIED where neither a page nor the model's hand shows.
Traced trace_part(const Ledger& ledger, const PartSearch& search, std::string_view value);

}  // namespace agentlock
