#include "support/process_table.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <poll.h>
#include <unistd.h>

#include "cli/demo_process.hpp"

namespace agentlock::test {
namespace {

// Empty if the process ends meanwhile: its files can be opened and not be read then.
std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  try {
    return {std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure&) {
    return "";
  }
}

std::optional<pid_t> pid_of(const std::filesystem::path& folder) {
  const std::string name = folder.filename();
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return pid;
}

// The fields of /proc/<pid>/stat behind the command name, which may hold anything:
// the state, then the parent.
std::pair<char, pid_t> state_and_parent(const std::filesystem::path& folder) {
  const std::string stat = contents(folder / "stat");
  const std::size_t end = stat.rfind(") ");
  if (end == std::string::npos || end + 4 >= stat.size()) return {'X', 0};
  pid_t parent = 0;
  std::from_chars(stat.data() + end + 4, stat.data() + stat.size(), parent);
  return {stat[end + 2], parent};
}

std::vector<std::filesystem::path> process_folders() {
  std::vector<std::filesystem::path> folders;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    if (pid_of(entry.path())) folders.push_back(entry.path());
  }
  return folders;
}

ProcessEntry entry_of(const std::filesystem::path& folder, pid_t parent) {
  ProcessEntry entry{*pid_of(folder), parent, contents(folder / "cmdline")};
  std::replace(entry.command.begin(), entry.command.end(), '\0', ' ');
  return entry;
}

}  // namespace

std::vector<ProcessEntry> processes_mentioning(std::string_view text) {
  std::vector<ProcessEntry> found;
  for (const std::filesystem::path& folder : process_folders()) {
    const auto [state, parent] = state_and_parent(folder);
    if (*pid_of(folder) == ::getpid() || state == 'Z' || state == 'X') continue;
    ProcessEntry entry = entry_of(folder, parent);
    std::error_code unreadable;
    const std::string cwd = std::filesystem::read_symlink(folder / "cwd", unreadable);
    if (entry.command.find(text) != std::string::npos || cwd.find(text) != std::string::npos ||
        contents(folder / "environ").find(text) != std::string::npos) {
      found.push_back(std::move(entry));
    }
  }
  return found;
}

std::vector<ProcessEntry> process_tree(pid_t root) {
  std::vector<ProcessEntry> all;
  for (const std::filesystem::path& folder : process_folders()) {
    const auto [state, parent] = state_and_parent(folder);
    if (state != 'Z' && state != 'X') all.push_back(entry_of(folder, parent));
  }
  std::vector<ProcessEntry> tree;
  std::vector<pid_t> open{root};
  while (!open.empty()) {
    const pid_t pid = open.back();
    open.pop_back();
    for (const ProcessEntry& entry : all) {
      if (entry.pid == pid) tree.push_back(entry);
      if (entry.parent == pid) open.push_back(entry.pid);
    }
  }
  return tree;
}

bool wait_until_none_mentions(std::string_view text, Deadline deadline) {
  while (true) {
    const std::vector<ProcessEntry> left = processes_mentioning(text);
    if (left.empty()) return true;
    if (!wait_until_ended(left.front().pid, deadline)) return false;
  }
}

bool wait_until_ended(pid_t pid, Deadline deadline) {
  const Descriptor process = cli::demo::process_descriptor(pid);
  if (!process.is_open()) return true;
  std::vector<cli::demo::Wait> waits{{process.get(), POLLIN}};
  return cli::demo::wait_for_any(waits, deadline);
}

}  // namespace agentlock::test
