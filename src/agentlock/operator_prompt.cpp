#include "agentlock/operator_prompt.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "agentlock/character_classes.hpp"

// The client puts what it writes itself into elements with names of its own, and what a
// person pastes as a block too. Which ones, was seen in prompts of Claude Code 2.1.332
// and read in its texts. A name that is not known yet is caught where it begins the
// prompt: nothing that begins with an element is taken for a person's words.

namespace agentlock {
namespace {

constexpr std::array<std::string_view, 38> kEnvelopes = {
    "agent-message",
    "artifact-file-content",
    "artifact-origin-notes",
    "artifact-room-event",
    "artifact-stored-declaration",
    "artifact-type-instructions",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-message",
    "command-name",
    "coordinator-relay",
    "cowritten-artifact-html",
    "cross-session-message",
    "fetched-web-content",
    "fork-boilerplate",
    "function_results",
    "ide_opened_file",
    "ide_selection",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "mcp-polling-update",
    "mcp-resource-update",
    "persisted-output",
    "post-tool-use-hook",
    "remote-review",
    "remote-review-progress",
    "sandbox_violations",
    "slack-ping",
    "slack-tag-message",
    "system-reminder",
    "system_reminder",
    "task-notification",
    "teammate-message",
    "tool_use_error",
    "user-prompt-submit-hook",
};
// Frames in plain words, at the beginning of a line.
constexpr std::array<std::string_view, 7> kFrames = {
    "[SYSTEM NOTIFICATION",
    "Another Claude session sent a message",
    "A peer session sent a message",
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
    "<<autonomous-loop",
    "<channel ",
};
constexpr std::string_view kPasted = "<pasted_content";

bool is_name_character(char c) {
  return is_ascii_letter(c) || is_ascii_digit(c) || c == '-' || c == '_';
}

// The name of the element that begins or ends at `at`, or "".
std::string_view element_name(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '<') return "";
  std::size_t begin = at + 1;
  if (begin < text.size() && text[begin] == '/') ++begin;
  if (begin >= text.size() || !is_ascii_letter(text[begin])) return "";
  std::size_t end = begin;
  while (end < text.size() && is_name_character(text[end])) ++end;
  // "<https://a.test/>" and "<alice@a.test>" are no elements.
  const bool ends = end == text.size() || text[end] == '>' || text[end] == '/' ||
                    is_space(static_cast<unsigned char>(text[end]));
  return ends ? text.substr(begin, end - begin) : "";
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return result;
}

std::optional<std::string> envelope_in(std::string_view text) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::string name = lowered(element_name(text, at));
    if (std::ranges::find(kEnvelopes, name) != kEnvelopes.end()) return "<" + name + ">";
  }
  return std::nullopt;
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return line;
}

// Without up to three spaces of indentation, as Markdown has it.
std::string_view unindented(std::string_view line) {
  for (int i = 0; i < 3 && line.starts_with(' '); ++i) line.remove_prefix(1);
  return line;
}

// Of ``` or ~~~ at the beginning of a line; 0 if there is none.
std::size_t fence_length(std::string_view line, char mark) {
  const std::size_t length = std::min(line.find_first_not_of(mark), line.size());
  return length >= 3 ? length : 0;
}

class Reader {
 public:
  explicit Reader(std::string_view prompt) : rest_(prompt) {}

  Result<OperatorPrompt> read() {
    take_pasted_blocks();
    const std::size_t begin = skip_spaces(typed_, 0);
    if (begin < typed_.size() && !element_name(typed_, begin).empty()) {
      return fail(ErrorCode::kRefused, "it begins with an element, as what a client writes does");
    }
    if (const auto envelope = envelope_in(typed_)) {
      return fail(ErrorCode::kRefused, "it holds the client's own " + *envelope);
    }
    for (std::string_view rest = typed_; !rest.empty();) {
      const std::string_view line = next_line(rest);
      const std::string_view inner = line.substr(skip_spaces(line, 0));
      for (const std::string_view frame : kFrames) {
        if (inner.starts_with(frame)) {
          return fail(ErrorCode::kRefused, "it holds a message that the client relays");
        }
      }
    }
    take_lines();
    return std::move(prompt_);
  }

 private:
  // A block ends with the name and the attributes that it began with, which what was
  // pasted can't know; without its end it goes on to the end of the prompt.
  void take_pasted_blocks() {
    while (!rest_.empty()) {
      const std::size_t begin = rest_.find(kPasted);
      typed_ += rest_.substr(0, begin);
      if (begin == rest_.npos) return;
      rest_.remove_prefix(begin);
      const std::size_t open_end = rest_.find('>');
      const bool has_id = rest_.substr(0, open_end).find(" id=\"") != rest_.npos;
      const std::string closing =
          "</" + std::string(rest_.substr(1, open_end)) + (open_end == rest_.npos ? ">" : "");
      const std::size_t end =
          open_end == rest_.npos || !has_id ? rest_.npos : rest_.find(closing, open_end);
      const std::size_t from = std::min(open_end, rest_.size() - 1) + 1;
      prompt_.quoted += rest_.substr(from, end == rest_.npos ? end : end - from);
      prompt_.quoted += '\n';
      typed_ += '\n';
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + closing.size());
    }
  }

  void take_lines() {
    char mark = 0;
    std::size_t fence = 0;
    for (std::string_view rest = typed_; !rest.empty();) {
      const std::string_view line = next_line(rest);
      const std::string_view inner = unindented(line);
      if (fence > 0) {
        const std::size_t length = fence_length(inner, mark);
        const bool closes =
            length >= fence && inner.find_first_not_of(" \t\r", length) == inner.npos;
        if (closes) {
          fence = 0;
        } else {
          prompt_.quoted.append(line) += '\n';
        }
        continue;
      }
      for (const char c : {'`', '~'}) {
        const std::size_t length = fence_length(inner, c);
        // What stands behind ``` on its line names a language; ```x``` is a word.
        if (length == 0 || (c == '`' && inner.find('`', length) != inner.npos)) continue;
        mark = c;
        fence = length;
      }
      if (fence > 0) continue;
      const bool is_quote = line.substr(skip_spaces(line, 0)).starts_with('>');
      (is_quote ? prompt_.quoted : prompt_.own).append(line) += '\n';
    }
  }

  std::string_view rest_;
  std::string typed_;
  OperatorPrompt prompt_;
};

}  // namespace

Result<OperatorPrompt> read_operator_prompt(std::string_view prompt) {
  return Reader(prompt).read();
}

}  // namespace agentlock
