#pragma once

#include <filesystem>
#include <string>

#include "agentlock/result.hpp"

namespace agentlock::cli {

/// What a UserPromptSubmit hook of Claude Code says of a prompt.
struct HookInput {
  std::string session;
  std::string prompt;
  std::filesystem::path transcript;  ///< empty if it names none
  std::filesystem::path folder;      ///< where the session works
};

/// Reads the JSON that the client gives its hook. kRefused if it is for another event, or
/// says itself that nobody typed the prompt; kProtocol if it has another shape.
Result<HookInput> read_hook_input(std::string json);

}  // namespace agentlock::cli
