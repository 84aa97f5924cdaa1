#include "cli/hook_input.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"

// The members were seen in what Claude Code 2.1.332 sends. `source` is in its own
// description of the input and was not sent yet: who wrote the prompt.

namespace agentlock::cli {

Result<HookInput> read_hook_input(std::string text) {
  auto json = parse_json(std::move(text), {.max_depth = 32});
  if (!json) return fail(json.error(), "the hook's input");
  if (string_member(*json, "hook_event_name") != "UserPromptSubmit") {
    return fail(ErrorCode::kRefused, "the hook's input is for another event");
  }
  const Json* prompt = member(*json, "prompt");
  HookInput input;
  input.session = string_member(*json, "session_id");
  if (prompt == nullptr || !prompt->is_string() || input.session.empty()) {
    return fail(ErrorCode::kProtocol, "the hook's input has no prompt or no session");
  }
  const Json* source = member(*json, "source");
  const bool by_person = source == nullptr || *source == "user" || *source == "sdk";
  if (!by_person || member(*json, "agent_id") != nullptr) {
    return fail(ErrorCode::kRefused, "the client says that nobody typed it");
  }
  input.prompt = prompt->get<std::string>();
  input.transcript = string_member(*json, "transcript_path");
  input.folder = string_member(*json, "cwd");
  return input;
}

}  // namespace agentlock::cli
