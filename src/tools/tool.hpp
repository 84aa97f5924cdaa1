#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/task.hpp"
#include "tools/asker.hpp"

namespace agentlock::tools {

/// A tool as tools/list shows it. The schemas stay in what draft-07 and 2020-12
/// share (tools.md, "The client's side").
struct ToolDescription {
  std::string name;
  std::string title;
  std::string description;
  Json input_schema;
  Json output_schema;
  /// readOnlyHint, destructiveHint, idempotentHint, openWorldHint.
  Json annotations;
};

/// What a call gives back. Either `structured`, which fits the tool's output
/// schema, or `error`: a sentence for the model, sent as isError without
/// structured content.
struct Outcome {
  Json structured;
  std::string error;
  bool is_error = false;

  static Outcome of(Json structured);
  static Outcome failed(std::string sentence);
};

/// What the protocol layer knows about the call.
struct CallContext {
  /// Null if the client did not declare form elicitation. It lives as long as the call.
  Asker* asker = nullptr;
  /// What the client calls itself; empty if it doesn't say.
  std::string client;
};

/// The tools, as the protocol layer sees them. A call is cancelled through Asio's
/// cancellation of the coroutine that awaits it; nothing of it runs on afterwards.
class ToolTable {
 public:
  virtual ~ToolTable() = default;
  virtual const std::vector<ToolDescription>& tools() const = 0;
  /// What the client should know about the server as a whole.
  virtual std::string instructions() const = 0;
  /// `name` is one of tools(). Never throws but for cancellation.
  virtual Task<Outcome> call(std::string name, Json arguments, CallContext context) = 0;
};

}  // namespace agentlock::tools
