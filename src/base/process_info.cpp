#include "base/process_info.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMaxAncestors = 64;
constexpr std::size_t kMaxArguments = 8;
constexpr std::size_t kMaxArgument = 256;

// Of the files in /proc, whose sizes are not known before.
std::string head_of(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(limit, '\0');
  std::size_t size = 0;
  while (file.is_open() && size < limit) {
    const ssize_t got = ::read(file.get(), text.data() + size, limit - size);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

std::string_view next_field(std::string_view& rest) {
  const std::size_t end = rest.find(' ');
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return field;
}

template <typename T>
T number(std::string_view text) {
  T value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::optional<ProcessInfo> process_info(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  const std::string stat = head_of(folder + "/stat", 4096);
  // The name in brackets may hold anything; what follows it is plain.
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(stat).substr(name_end + 2);
  ProcessInfo info;
  info.pid = pid;
  const std::string_view state = next_field(rest);
  if (state == "Z" || state == "X") return std::nullopt;
  info.parent = number<pid_t>(next_field(rest));
  // proc(5): the state is field 3, the parent 4, the start 22.
  for (int skipped = 5; skipped < 22; ++skipped) next_field(rest);
  info.start = number<std::uint64_t>(next_field(rest));

  std::array<char, 4096> target{};
  const ssize_t size = ::readlink((folder + "/exe").c_str(), target.data(), target.size());
  if (size > 0) {
    const std::string_view path(target.data(), static_cast<std::size_t>(size));
    info.executable = path.substr(path.rfind('/') + 1);
  }
  const std::string line = head_of(folder + "/cmdline", kMaxArguments * kMaxArgument);
  for (std::string_view left = line; !left.empty() && info.arguments.size() < kMaxArguments;) {
    const std::size_t end = left.find('\0');
    info.arguments.emplace_back(left.substr(0, end).substr(0, kMaxArgument));
    left.remove_prefix(end == left.npos ? left.size() : end + 1);
  }
  return info;
}

bool is_running(pid_t pid, std::uint64_t start) {
  const auto info = process_info(pid);
  return info && info->start == start;
}

std::vector<ProcessInfo> ancestors(pid_t pid) {
  std::vector<ProcessInfo> found;
  auto info = process_info(pid);
  while (info && info->parent > 0 && found.size() < kMaxAncestors) {
    auto parent = process_info(info->parent);
    if (!parent) return {};
    found.push_back(*parent);
    info = std::move(parent);
  }
  return found;
}

}  // namespace agentlock
