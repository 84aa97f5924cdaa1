#pragma once

#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"

namespace agentlock {

/// Appends all e-mail addresses of a text, leftmost first, without overlap.
/// Source: agentlock-engine.md, section 3, item 1.
void find_emails(std::string_view text, std::vector<TextRange>& found);

}  // namespace agentlock
