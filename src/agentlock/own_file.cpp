#include "agentlock/own_file.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/random_id.hpp"

namespace agentlock {

tl::unexpected<Error> system_failure(const std::filesystem::path& path, std::string_view doing) {
  const std::string reason = std::generic_category().message(errno);
  return fail(ErrorCode::kIo, path.string() + ": " + std::string(doing) + ": " + reason);
}

std::optional<std::string> why_not_own_file(const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return "is a symbolic link";
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (status.st_uid != ::geteuid()) return "belongs to another user";
  if (status.st_nlink != 1) return "has more than one name (hard links)";
  return std::nullopt;
}

Result<Descriptor> open_own_folder(const std::filesystem::path& folder) {
  Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!open.is_open()) {
    if (errno == ELOOP || errno == ENOTDIR) {
      return fail(ErrorCode::kRefused, folder.string() + " is a link or no folder");
    }
    return system_failure(folder, "cannot be opened");
  }
  struct stat status{};
  if (::fstat(open.get(), &status) != 0) return system_failure(folder, "cannot be examined");
  if (status.st_uid != ::geteuid()) {
    return fail(ErrorCode::kRefused, folder.string() + " belongs to another user");
  }
  if ((status.st_mode & 0022U) != 0) {
    return fail(ErrorCode::kRefused, folder.string() + " can be written to by others (chmod 700)");
  }
  return open;
}

Result<std::optional<Descriptor>> open_own_file(const Descriptor& folder,
                                                const std::filesystem::path& path, int flags) {
  // O_NONBLOCK: a planted FIFO must not hold us up.
  Descriptor open(::openat(folder.get(), path.filename().c_str(),
                           flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!open.is_open()) {
    if (errno == ENOENT) return std::optional<Descriptor>();
    if (errno == ELOOP) return fail(ErrorCode::kRefused, path.string() + " is a symbolic link");
    return system_failure(path, "cannot be opened");
  }
  struct stat status{};
  if (::fstat(open.get(), &status) != 0) return system_failure(path, "cannot be examined");
  if (const auto why = why_not_own_file(status)) {
    return fail(ErrorCode::kRefused, path.string() + ' ' + *why);
  }
  return std::optional<Descriptor>(std::move(open));
}

Result<bool> create_whole(const Descriptor& folder, const std::filesystem::path& path, mode_t mode,
                          std::string_view bytes) {
  // Written under another name first: who finds the file finds all of it, also
  // when two servers start at once or one dies in between.
  const std::string name = path.filename();
  const std::string draft = "." + name + "-" + random_hex(8);
  bool made = false;
  {
    const Descriptor file(::openat(folder.get(), draft.c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.is_open()) return system_failure(path, "cannot be made");
    made =
        ::fchmod(file.get(), mode) == 0 && write_fully(file.get(), bytes, 0) &&
        ::fsync(file.get()) == 0 &&
        ::renameat2(folder.get(), draft.c_str(), folder.get(), name.c_str(), RENAME_NOREPLACE) == 0;
  }
  if (made) return true;
  const int reason = errno;
  ::unlinkat(folder.get(), draft.c_str(), 0);
  if (reason == EEXIST) return false;
  errno = reason;
  return system_failure(path, "cannot be written");
}

Result<void> lock_file(int fd, const std::filesystem::path& path) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return system_failure(path, "cannot be locked");
    if (std::chrono::steady_clock::now() >= deadline) {
      return fail(ErrorCode::kTimeout, path.string() + " is locked by another process");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}

ssize_t read_fully(int fd, char* buffer, std::size_t size, off_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd, buffer + done, size - done, offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

bool write_fully(int fd, std::string_view bytes, off_t offset) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(fd, bytes.data(), bytes.size(), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += put;
  }
  return true;
}

}  // namespace agentlock
