#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentlock {

// Canonical spellings of what people write in several ways: found in a text and
// appended in the form in which they are compared.
// Source: agentlock-engine.md, section 4.

/// Whether a text holds `[.]`, `(.)`, `{.}`, `[dot]` or `(dot)`, in any case.
bool holds_marker(std::string_view text);

/// The text with its `[.]`, `(dot)`, ... as full stops; empty if it holds none.
std::string refanged(std::string_view text);

/// Full dates, as YYYY-MM-DD in ASCII digits.
void append_dates(std::string_view text, std::vector<std::string>& dates);

/// Telephone numbers, as `+` and their digits.
void append_phones(std::string_view text, std::vector<std::string>& phones);

/// Sums of money and other grouped or two-decimal numbers, bare.
void append_amounts(std::string_view text, std::vector<std::string>& amounts);

}  // namespace agentlock
