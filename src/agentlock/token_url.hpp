#pragma once

#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"

namespace agentlock {

/// Appends all dotted hosts of a text with their scheme and path, leftmost first,
/// without overlap. Source: agentlock-engine.md, section 3, item 2.
void find_urls(std::string_view text, std::vector<TextRange>& found);

/// The token of a match in lowercase: scheme, `www.` and trailing punctuation off.
/// Empty if what remains is no token.
std::string_view canonical_url(std::string_view lowered);

}  // namespace agentlock
