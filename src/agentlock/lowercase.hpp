#pragma once

#include <string>
#include <string_view>

namespace agentlock {

/// Full Unicode lowercase, no language, with the final-sigma rule; not case folding.
/// Malformed UTF-8 becomes U+FFFD. Source: agentlock-engine.md, section 2.
std::string lowercase(std::string_view text);

/// The same, appended to `lowered`.
void append_lowercase(std::string_view text, std::string& lowered);

/// The one character whose lowercase is two and has another class than itself: U+0130
/// is a letter of the grammars, and of its lowercase, `i` and U+0307, only the `i` is.
inline constexpr std::string_view kDottedI = "\xC4\xB0";

}  // namespace agentlock
