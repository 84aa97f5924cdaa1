#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/task.hpp"

namespace agentlock::tools {

/// One answer that a person can choose. There is no choice that says no: the client's
/// own decline is the no.
struct Choice {
  std::string value;
  std::string title;
};

/// A question to the person behind the client: MCP's elicitation in form mode, with one
/// field `choice`. All of it is shown as plain text.
struct Question {
  /// What the stateless era calls it, among the requests of one result.
  std::string key = "confirm";
  std::string message;
  std::string description;  ///< of the field
  std::vector<Choice> choices;
};

/// What the client sent back, or why it did not.
struct AskReply {
  std::optional<Json> result;  ///< as it came: `action`, `content`
  std::string failure;         ///< a sentence of ours if there is no result
  bool timed_out = false;
};

/// Puts questions to a person while a call runs; who implements it knows the protocol.
class Asker {
 public:
  virtual ~Asker() = default;
  /// Waits for the answer, or the deadline. Cancelled with the call.
  virtual Task<AskReply> ask(Question question, Deadline deadline) = 0;
};

}  // namespace agentlock::tools
