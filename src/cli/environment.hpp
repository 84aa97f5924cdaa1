#pragma once

#include <map>
#include <string>

namespace agentlock::cli {

/// The variables of the process.
std::map<std::string, std::string> environment();

}  // namespace agentlock::cli
