#pragma once

#include <span>
#include <string>

namespace agentlock::cli {

/// `agentlock-browser hook user-prompt`: reads what Claude Code's UserPromptSubmit hook
/// says on standard input, and hands the prompt to the servers of that client. Prints
/// nothing on standard output, which the client would add to the prompt; says on standard
/// error why a prompt was not recorded; takes two seconds at most, and always exits with
/// 0, so that the client is never held up. 1 if it is called with anything else.
int hook_command(std::span<const std::string> arguments);

}  // namespace agentlock::cli
