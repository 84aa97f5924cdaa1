#pragma once

#include "tools/tool_call.hpp"

namespace agentlock::tools {

/// Asks the person about navigations of the page that were refused during the call, at
/// most two (attacks.md A23). A yes makes a new gated navigation; what got its yes is
/// no longer among what was blocked.
Task<void> ask_about_hops(ToolCall& call);

}  // namespace agentlock::tools
