#pragma once

#include <string>
#include <string_view>

#include "agentlock/result.hpp"

namespace agentlock {

/// A prompt that a person gave to the client, in two: what the person says, and what
/// the person only shows. Source: attacks.md A11, A33.
struct OperatorPrompt {
  std::string own;
  /// What stands in fences, behind `>`, or was pasted as a block, line by line.
  std::string quoted;
};

/// Reads the prompt of a client whose prompts also carry what no person wrote: task
/// notifications, other agents' messages, reminders. A prompt with such an envelope
/// anywhere, or of a shape that is not known, is kRefused as a whole, with the reason.
Result<OperatorPrompt> read_operator_prompt(std::string_view prompt);

}  // namespace agentlock
