#pragma once

#include <string>
#include <string_view>

namespace agentlock::cli {

/// What a terminal shows as it is: printable ASCII, and every other byte, and the
/// backslash, as `\xHH`. A log's text could otherwise steer it (attacks.md A59).
std::string printable_ascii(std::string_view text);

}  // namespace agentlock::cli
