#pragma once

#include <span>
#include <string>

namespace agentlock::cli {

/// `agentlock-browser demo [--dir DIR]`: runs this same binary as an MCP server with
/// a real Chromium and three local origins, lets an obedient agent follow a page that
/// leads it astray, and tells a person what came of it. With --dir the log and its
/// public key are left there as decisions.jsonl and key.pub, in place of those of an
/// earlier run. 0 if every outcome was the expected one, 1 if not, 2 for arguments
/// that it does not know.
int demo_command(std::span<const std::string> arguments);

}  // namespace agentlock::cli
