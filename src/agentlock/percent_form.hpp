#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace agentlock {

// The percent form of a token: `%2e`, `%40`, `%3a` and `%2f` stand for the full stop, the
// `@`, the colon and the slash, which do not stand in it themselves, and all else for
// itself. Source: agentlock-engine.md, section 5.

struct PercentEscape {
  char plain;
  std::string_view written;
};
inline constexpr std::array<PercentEscape, 4> kPercentEscapes = {
    PercentEscape{'.', "%2e"}, PercentEscape{'@', "%40"}, PercentEscape{':', "%3a"},
    PercentEscape{'/', "%2f"}};

/// Whether one of the four stands in a text, which then is no part of a percent form.
bool holds_escaped(std::string_view text);

/// What the beginning of a percent form stands for: one byte, and how many it takes.
struct PercentByte {
  char plain;
  std::size_t length;
};
PercentByte first_of_percent(std::string_view form);

/// What a whole form stands for.
std::string plain_of_percent(std::string_view form);

/// Whether a token holds such a sequence itself, so that its form stands for another text
/// than the token.
bool is_percent_ambiguous(std::string_view token);

}  // namespace agentlock
