#pragma once

#include "agentlock/draft.hpp"
#include "base/task.hpp"
#include "tools/tool.hpp"
#include "tools/toolbox.hpp"

namespace agentlock::tools {

/// A tool: what the client is told of it, and what it does. Its result is a draft,
/// so that no page text gets past the ledger; an error becomes isError.
struct Tool {
  ToolDescription description;
  Task<Result<Draft>> (*handle)(Toolbox& box, Json arguments, CallContext context);
};

Tool navigate_tool();
Tool snapshot_tool();
Tool read_text_tool();
Tool click_tool();
Tool type_tool();
Tool back_tool();

}  // namespace agentlock::tools
