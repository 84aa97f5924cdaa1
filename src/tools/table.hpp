#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/handler.hpp"
#include "tools/tool.hpp"
#include "tools/toolbox.hpp"

namespace agentlock::tools {

/// The tools of this version, in the order in which they are listed.
std::vector<ToolDescription> tool_descriptions();

/// The same, over one toolbox.
class Table final : public ToolTable {
 public:
  explicit Table(Toolbox& box);

  const std::vector<ToolDescription>& tools() const override { return descriptions_; }
  std::string instructions() const override;
  Task<Outcome> call(std::string name, Json arguments, CallContext context) override;

 private:
  Toolbox& box_;
  std::vector<ToolDescription> descriptions_;
  std::map<std::string, Tool> tools_;
};

}  // namespace agentlock::tools
