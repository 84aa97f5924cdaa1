#pragma once

#include <span>
#include <string>

namespace agentlock::cli {

/// `agentlock-browser check --format vectors|urls|rows [--mode M]`: judges lines of
/// standard input offline, so that what we decide can be compared with others. 2 for wrong usage.
int check_command(std::span<const std::string> arguments);

}  // namespace agentlock::cli
