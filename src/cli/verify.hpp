#pragma once

#include <ostream>
#include <span>
#include <string>

namespace agentlock::cli {

/// `agentlock-browser verify LOG [--key FILE] [--secret FILE] [--json]`, the arguments
/// being those after `verify`. The result is written to `out`, in ASCII whatever the
/// log holds; what prevented one is written to `err`. Returns the exit code: 0 all
/// holds, 1 broken, 2 wrong usage, 3 unfinished, 4 unpinned, 5 unreadable.
/// Source: gate.md, section 9; docs/decision-log.md.
int verify_command(std::span<const std::string> args, std::ostream& out, std::ostream& err);

}  // namespace agentlock::cli
