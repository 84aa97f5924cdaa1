#include "cli/environment.hpp"

#include <string_view>

#include <unistd.h>

namespace agentlock::cli {

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return variables;
}

}  // namespace agentlock::cli
