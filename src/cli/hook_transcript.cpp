#include "cli/hook_transcript.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/descriptor.hpp"
#include "base/json.hpp"

// The record is a line of JSON for each message. It grows to many megabytes, so the
// prompt is looked for as it would be written in JSON, and only lines that hold it are
// parsed: in one of them a tool must have been called with it as `prompt`. That the model
// named the same address to another tool says nothing: an operator who was asked for it
// types just that.

namespace agentlock::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxRead = std::size_t{256} << 20U;
constexpr std::size_t kMaxLine = std::size_t{4} << 20U;
constexpr int kMaxLines = 200;
constexpr int kMaxFiles = 200;
constexpr int kMaxDepth = 32;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == text.npos) return "";
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

/// The last part of a file, mapped.
class Tail {
 public:
  explicit Tail(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status{};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    is_open_ = true;
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return;
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (mapped == MAP_FAILED) {
      is_open_ = false;
      return;
    }
    all_ = {static_cast<const char*>(mapped), size};
  }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;
  ~Tail() {
    if (!all_.empty()) ::munmap(const_cast<char*>(all_.data()), all_.size());
  }

  bool is_open() const { return is_open_; }
  bool is_whole() const { return all_.size() <= kMaxRead; }
  std::string_view text() const {
    return all_.substr(all_.size() - std::min(all_.size(), kMaxRead));
  }

 private:
  bool is_open_ = false;
  std::string_view all_;
};

bool holds_prompt(const Json& value, std::string_view prompt, int depth) {
  if (depth > kMaxDepth) return false;
  if (value.is_object()) {
    const Json* given = member(value, "prompt");
    if (given != nullptr && given->is_string() &&
        trimmed(given->get_ref<const std::string&>()) == prompt) {
      return true;
    }
  }
  if (!value.is_structured()) return false;
  return std::ranges::any_of(
      value, [&](const Json& inner) { return holds_prompt(inner, prompt, depth + 1); });
}

// Somewhere in it a call of a tool with this prompt.
bool calls_with_prompt(const Json& value, std::string_view prompt, int depth = 0) {
  if (depth > kMaxDepth || !value.is_structured()) return false;
  const Json* input = member(value, "input");
  if (input != nullptr && string_member(value, "type") == "tool_use" &&
      holds_prompt(*input, prompt, 0)) {
    return true;
  }
  return std::ranges::any_of(
      value, [&](const Json& inner) { return calls_with_prompt(inner, prompt, depth + 1); });
}

// memmem is several times as fast as std::string_view::find on such texts.
std::size_t find_from(std::string_view text, std::string_view needle, std::size_t from) {
  const void* const found =
      ::memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return found == nullptr ? text.npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool model_wrote(std::string_view record, std::string_view prompt) {
  std::string needle = to_line(Json(std::string(prompt)));
  needle = needle.substr(1, needle.size() - 2);
  int lines = 0;
  for (std::size_t at = find_from(record, needle, 0); at != record.npos && lines < kMaxLines;
       ++lines) {
    const std::size_t before = record.rfind('\n', at);
    const std::size_t begin = before == record.npos ? 0 : before + 1;
    const std::size_t end = std::min(record.find('\n', at), record.size());
    const std::string_view line = record.substr(begin, end - begin);
    if (line.size() <= kMaxLine && line.find("\"tool_use\"") != line.npos) {
      const auto json = parse_json(std::string(line));
      if (json && calls_with_prompt(*json, prompt)) return true;
    }
    at = find_from(record, needle, end);
  }
  return false;
}

bool is_scheduled(const fs::path& folder, std::string_view prompt) {
  const Tail file(folder / ".claude" / "scheduled_tasks.json");
  if (!file.is_open() || file.text().size() > kMaxLine) return false;
  const auto json = parse_json(std::string(file.text()));
  return json && holds_prompt(*json, prompt, 0);
}

}  // namespace

Author author_of(std::string_view whole_prompt, const fs::path& transcript,
                 const fs::path& folder) {
  const std::string_view prompt = trimmed(whole_prompt);
  if (prompt.empty()) return Author::kNotTheModel;
  if (!folder.empty() && is_scheduled(folder, prompt)) return Author::kModel;
  const Tail record(transcript);
  if (transcript.empty() || !record.is_open()) return Author::kUnknown;
  if (model_wrote(record.text(), prompt)) return Author::kModel;
  // What agents that the model started did stands in files of their own.
  const fs::path agents = fs::path(transcript).replace_extension();
  std::error_code failed;
  int files = 0;
  for (fs::recursive_directory_iterator entry(agents, failed), end;
       !failed && entry != end && files < kMaxFiles; entry.increment(failed)) {
    if (entry->path().extension() != ".jsonl") continue;
    ++files;
    if (model_wrote(Tail(entry->path()).text(), prompt)) return Author::kModel;
  }
  return record.is_whole() ? Author::kNotTheModel : Author::kUnknown;
}

}  // namespace agentlock::cli
