#pragma once

#include <string>

namespace agentlock::mcp {

/// How the server names itself to clients.
struct ServerInfo {
  std::string name;
  std::string version;
};

}  // namespace agentlock::mcp
