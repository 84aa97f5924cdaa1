#pragma once

#include "base/json.hpp"
#include "mcp/revision.hpp"
#include "tools/asker.hpp"

namespace agentlock::mcp {

/// The parameters of elicitation/create for a question, in the words of the revision:
/// `mode` and titled choices as `oneOf` came with 2025-11-25.
Json elicitation_params(const tools::Question& question, Revision revision);

}  // namespace agentlock::mcp
