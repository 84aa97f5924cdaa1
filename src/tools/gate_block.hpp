#pragma once

#include <vector>

#include "agentlock/draft.hpp"
#include "base/json.hpp"
#include "tools/recorder.hpp"

namespace agentlock::tools {

/// What a result says of a decision. Source: gate.md, section 7; tools.md, "Tools".
Draft gate_block(const Decided& decided);
Draft gate_blocks(const std::vector<Decided>& decided);

Json gate_block_schema();

}  // namespace agentlock::tools
