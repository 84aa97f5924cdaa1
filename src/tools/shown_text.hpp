#pragma once

#include <string>
#include <string_view>

namespace agentlock::tools {

/// Text from outside as a person is shown it in a question: in one line, and with
/// nothing in it that could fake another line, be invisible or turn the direction of
/// writing. All but letters, numbers, punctuation, symbols, marks on a letter and
/// single spaces becomes \u{XXXX}; backtick and < as well (attacks.md A20).
std::string shown(std::string_view text);

/// Long text for a question: its beginning and its end, and between them whatever in
/// it can be acted on: URLs, e-mail addresses, numbers of six digits or more
/// (attacks.md A12). At most 200 characters are left as they are.
std::string shortened(std::string_view text);

/// Text of more characters than this is too long to be asked about.
inline constexpr std::size_t kMaxAsked = 2'000;

}  // namespace agentlock::tools
