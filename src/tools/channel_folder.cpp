#include "tools/channel_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>

#include <dirent.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "agentlock/own_file.hpp"
#include "agentlock/signing_key.hpp"
#include "base/json.hpp"
#include "base/process_info.hpp"

// Names carry what tells whether something is still needed: `server-PID-START` is the
// socket of that process, `client-PID-START` a folder of prompts, a file each, for as
// long as that process runs. Nothing in it is ever deleted because it was read: a client
// may start several servers, and throw the first away.
//
// No prompt is lost between a hook and a server that starts: the server makes its socket
// and then reads what is kept; the hook keeps the prompt and then looks for sockets. So
// at least one of them finds the other, and an id tells if both did.
//
// A socket's address may have 107 bytes, and a state folder's path is as long as its
// user likes: the folder is open, and `/proc/self/fd/N` names it.

namespace agentlock::tools {
namespace {

constexpr std::string_view kServer = "server-";
constexpr std::string_view kClient = "client-";
constexpr std::size_t kMaxEntries = 4096;

std::string named(std::string_view prefix, const Ancestor& process) {
  return std::string(prefix) + std::to_string(process.pid) + "-" + std::to_string(process.start);
}

std::optional<Ancestor> process_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  Ancestor process;
  const char* const end = name.data() + name.size();
  const auto pid = std::from_chars(name.data(), end, process.pid);
  if (pid.ec != std::errc() || pid.ptr == end || *pid.ptr != '-') return std::nullopt;
  const auto start = std::from_chars(pid.ptr + 1, end, process.start);
  if (start.ec != std::errc() || start.ptr != end || process.pid <= 0) return std::nullopt;
  return process;
}

bool runs(const Ancestor& process) {
  return is_running(static_cast<pid_t>(process.pid), process.start);
}

std::vector<std::string> names_in(const Descriptor& folder) {
  std::vector<std::string> names;
  Descriptor again(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again.is_open()) return names;
  DIR* const listing = ::fdopendir(again.get());
  if (listing == nullptr) return names;
  again.release();
  while (names.size() < kMaxEntries) {
    const dirent* const entry = ::readdir(listing);
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(listing);
  std::ranges::sort(names);
  return names;
}

Result<Descriptor> open_inside(const Descriptor& folder, const std::filesystem::path& path) {
  Descriptor inner(::openat(folder.get(), path.filename().c_str(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!inner.is_open()) {
    if (errno == ELOOP || errno == ENOTDIR) {
      return fail(ErrorCode::kRefused, path.string() + " is a link or no folder");
    }
    return system_failure(path, "cannot be opened");
  }
  struct stat status{};
  if (::fstat(inner.get(), &status) != 0) return system_failure(path, "cannot be examined");
  if (status.st_uid != ::geteuid() || (status.st_mode & 0777U) != 0700U) {
    return fail(ErrorCode::kRefused, path.string() + " must be your own and closed to others");
  }
  return inner;
}

Result<Descriptor> make_inside(const Descriptor& folder, const std::filesystem::path& path) {
  if (::mkdirat(folder.get(), path.filename().c_str(), 0700) != 0 && errno != EEXIST) {
    return system_failure(path, "cannot be made");
  }
  return open_inside(folder, path);
}

// "00001796032118880195-0123456789abcdef": microseconds since 1970, and the id.
std::string file_name(const ChannelMessage& message) {
  std::string time = std::to_string(static_cast<std::uint64_t>(message.said_at * 1e6));
  time.insert(0, 20 - std::min<std::size_t>(20, time.size()), '0');
  return time + "-" + message.id;
}

bool is_message_name(std::string_view name) { return name.size() == 37 && name[20] == '-'; }

Result<void> write_new(const Descriptor& folder, const std::filesystem::path& path,
                       std::string_view bytes) {
  // Seen whole or not at all. It need not outlive a crash of the machine: the client
  // does not either.
  const std::string draft = ".draft-" + path.filename().string();
  {
    const Descriptor file(::openat(folder.get(), draft.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.is_open()) return system_failure(path, "cannot be made");
    if (write_fully(file.get(), bytes, 0) &&
        ::renameat(folder.get(), draft.c_str(), folder.get(), path.filename().c_str()) == 0) {
      return {};
    }
  }
  const int reason = errno;
  ::unlinkat(folder.get(), draft.c_str(), 0);
  errno = reason;
  return system_failure(path, "cannot be written");
}

void make_room(const Descriptor& folder, std::size_t coming) {
  std::vector<std::string> names = names_in(folder);
  std::size_t bytes = coming;
  std::size_t count = 1;
  // From the newest on.
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    struct stat status{};
    if (::fstatat(folder.get(), name->c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    bytes += static_cast<std::size_t>(status.st_size);
    const bool fits = ++count <= ChannelFolder::kMaxKept && bytes <= ChannelFolder::kMaxKeptBytes;
    if (!fits) ::unlinkat(folder.get(), name->c_str(), 0);
  }
}

std::optional<ChannelMessage> read_message(const Descriptor& folder,
                                           const std::filesystem::path& path) {
  const auto file = open_own_file(folder, path, O_RDONLY);
  if (!file || !*file) return std::nullopt;
  std::string bytes(ChannelMessage::kMaxBytes + 1, '\0');
  const ssize_t size = read_fully((*file)->get(), bytes.data(), bytes.size(), 0);
  if (size < 0 || static_cast<std::size_t>(size) == bytes.size()) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size));
  auto message = ChannelMessage::parse(std::move(bytes));
  return message ? std::optional(*std::move(message)) : std::nullopt;
}

}  // namespace

Result<ChannelFolder> ChannelFolder::open(const std::filesystem::path& state_folder) {
  if (auto there = ensure_state_folder(state_folder); !there) return tl::unexpected(there.error());
  AGENTLOCK_TRY(state, open_own_folder(state_folder));
  const std::filesystem::path path = state_folder / "channel";
  AGENTLOCK_TRY(folder, make_inside(state, path));
  return ChannelFolder(path, std::move(folder));
}

std::string ChannelFolder::address(std::string_view name) const {
  return "/proc/self/fd/" + std::to_string(folder_.get()) + "/" + std::string(name);
}

void ChannelFolder::remove(const std::string& name) const {
  ::unlinkat(folder_.get(), name.c_str(), 0);
}

std::string ChannelFolder::server_name(const Ancestor& server) { return named(kServer, server); }

std::vector<Ancestor> ChannelFolder::servers() const {
  std::vector<Ancestor> found;
  for (const std::string& name : names_in(folder_)) {
    const auto server = process_of(name, kServer);
    if (server && runs(*server)) found.push_back(*server);
  }
  return found;
}

Result<void> ChannelFolder::keep(const Ancestor& client, const ChannelMessage& message) const {
  const std::filesystem::path path = path_ / named(kClient, client);
  AGENTLOCK_TRY(folder, make_inside(folder_, path));
  const std::string line = to_line(message.to_json());
  if (line.size() > ChannelMessage::kMaxBytes) {
    return fail(ErrorCode::kLimit, "the prompt is too long to be kept");
  }
  make_room(folder, line.size());
  return write_new(folder, path / file_name(message), line);
}

void ChannelFolder::forget(const Ancestor& client, const ChannelMessage& message) const {
  const auto folder = open_inside(folder_, path_ / named(kClient, client));
  if (folder) ::unlinkat(folder->get(), file_name(message).c_str(), 0);
}

std::vector<ChannelMessage> ChannelFolder::kept(const Ancestor& client) const {
  std::vector<ChannelMessage> messages;
  const std::filesystem::path path = path_ / named(kClient, client);
  const auto folder = open_inside(folder_, path);
  if (!folder) return messages;
  for (const std::string& name : names_in(*folder)) {
    if (!is_message_name(name) || messages.size() >= kMaxKept) continue;
    if (auto message = read_message(*folder, path / name)) messages.push_back(*std::move(message));
  }
  return messages;
}

void ChannelFolder::sweep() const {
  for (const std::string& name : names_in(folder_)) {
    if (const auto server = process_of(name, kServer)) {
      if (!runs(*server)) remove(name);
    } else if (const auto client = process_of(name, kClient); client && !runs(*client)) {
      const auto folder = open_inside(folder_, path_ / name);
      if (!folder) {
        remove(name);  // a link, or a file: only its name goes
        continue;
      }
      for (const std::string& file : names_in(*folder)) ::unlinkat(folder->get(), file.c_str(), 0);
      ::unlinkat(folder_.get(), name.c_str(), AT_REMOVEDIR);
    }
  }
}

}  // namespace agentlock::tools
