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

// Telephone numbers, as `+` and their digits, and sums of money and other grouped or
// two-decimal numbers, bare. `digit` is the first decimal digit of the text behind what was
// searched before. The number that begins with it, if one does, is appended; what is
// returned is how far the text has been searched.

std::size_t phone_at(std::string_view text, std::size_t digit, std::vector<std::string>& phones);
std::size_t amount_at(std::string_view text, std::size_t digit, std::vector<std::string>& amounts);

}  // namespace agentlock
