#pragma once

#include <span>
#include <string>

namespace agentlock::cli {

/// `agentlock-browser [flags]`: an MCP server on standard input and output until the
/// client goes or a signal ends it. A configuration that can't be kept does not end
/// it: clients hide what a server says when it fails to start, so every call answers
/// with the one line that says what is wrong. Returns the exit code.
int serve_command(std::span<const std::string> flags);

/// `agentlock-browser --print-config [flags]`: what is in force, as JSON; 2 and the
/// line on standard error if the configuration can't be kept.
int print_config_command(std::span<const std::string> flags);

}  // namespace agentlock::cli
