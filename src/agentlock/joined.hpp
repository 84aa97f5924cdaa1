#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "agentlock/result.hpp"

namespace agentlock {

/// Texts joined by single NUL bytes, which is what AgentLock hashes and signs.
/// kInvalidArgument if one holds a NUL (the joined form would be ambiguous) or is
/// not UTF-8.
Result<std::string> join_by_nul(std::initializer_list<std::string_view> texts);

/// Seconds with six decimals, rounded half to even on the exact value, as Python
/// prints them.
std::string six_decimals(double seconds);

}  // namespace agentlock
