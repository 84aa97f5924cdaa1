#pragma once

#include <string>
#include <vector>

#include "tools/tool.hpp"

namespace agentlock::cli {

/// Another table's tools, and after them those that the official conformance suite
/// calls by name (`--conformance-fixtures`, for tests only). They touch neither
/// browser nor gate, and the instructions say that they are there.
class ConformanceTools final : public tools::ToolTable {
 public:
  /// `real` must outlive this.
  explicit ConformanceTools(tools::ToolTable& real);

  const std::vector<tools::ToolDescription>& tools() const override { return descriptions_; }
  std::string instructions() const override;
  Task<tools::Outcome> call(std::string name, Json arguments, tools::CallContext context) override;

 private:
  tools::ToolTable& real_;
  std::vector<tools::ToolDescription> descriptions_;
};

}  // namespace agentlock::cli
