#pragma once

#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"
#include "agentlock/policy.hpp"

namespace agentlock {

class Ledger;

/// The tokens of a prompt (addresses, codes, what holds a digit or a sign) that a page
/// supplied before and that the operator had not said until then, in order: whoever
/// repeats what a page asked to be repeated has not thought of it (attacks.md A33).
/// Plain words are no tokens here: those are anybody's.
std::vector<TextRange> find_echoes(const Ledger& ledger, LineageMode mode, std::string_view text);

}  // namespace agentlock
