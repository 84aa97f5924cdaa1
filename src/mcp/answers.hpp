#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "mcp/revision.hpp"
#include "mcp/server_info.hpp"
#include "tools/tool.hpp"

namespace agentlock::mcp {

/// The results that the server gives, each in the words of the revision: what a
/// revision doesn't know is left out, and a stateless one gets `resultType` and
/// the server's name on all of them.
class Answers {
 public:
  explicit Answers(ServerInfo info) : info_(std::move(info)) {}

  /// MCP, "Lifecycle: Initialization".
  Json initialize(Revision revision, const std::string& instructions) const;
  /// MCP 2026-07-28, "Discovery".
  Json discover(Revision revision, const std::string& instructions) const;
  /// MCP, "Tools: Listing tools". One page, in the order of the table.
  Json tools(Revision revision, const std::vector<tools::ToolDescription>& table) const;
  /// MCP, "Tools: Calling tools". A failure carries no structured content: several
  /// clients check it against the tool's schema even then, and lose the sentence.
  Json call(Revision revision, tools::Outcome outcome) const;
  /// MCP 2026-07-28, "Multi round-trip requests": the call goes on when the client
  /// repeats it with the answer, under the same key, and the state.
  Json input_required(const std::string& key, Json elicitation, std::string state) const;

 private:
  Json completed(Revision revision, Json result) const;

  ServerInfo info_;
};

}  // namespace agentlock::mcp
