#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <sys/types.h>

#include "agentlock/result.hpp"

namespace agentlock {

/// Closes a descriptor when it goes out of scope.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int fd = -1) : fd_(fd) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor();

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// The system's words for `errno`, after "PATH: ".
tl::unexpected<Error> system_failure(const std::filesystem::path& path, std::string_view doing);

/// Why `status` is not of a regular file of this user with one name, or nothing.
std::optional<std::string> why_not_own_file(const struct stat& status);

/// Opens a folder that is no link, is this user's, and that nobody else can write to.
Result<OwnedDescriptor> open_own_folder(const std::filesystem::path& folder);

/// Opens a file inside an open folder, following no link; nothing if there is none.
/// kRefused if it is not a regular file of this user with one name. `path` is for
/// the words of an error.
Result<std::optional<OwnedDescriptor>> open_own_file(const OwnedDescriptor& folder,
                                                     const std::filesystem::path& path, int flags);

/// Makes a file appear whole, with these bytes, in an open folder; false if there
/// was one of that name already, which is then left alone.
Result<bool> create_whole(const OwnedDescriptor& folder, const std::filesystem::path& path,
                          mode_t mode, std::string_view bytes);

/// Takes flock(2)'s exclusive lock. kTimeout after two seconds: a process that was
/// stopped while holding it must not stop us for good.
Result<void> lock_file(int fd, const std::filesystem::path& path);

/// At most `size` bytes from `offset`, fewer at the end of the file. -1 as read(2).
ssize_t read_fully(int fd, char* buffer, std::size_t size, off_t offset);
bool write_fully(int fd, std::string_view bytes, off_t offset);

}  // namespace agentlock
