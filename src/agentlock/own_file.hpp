#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <sys/types.h>

#include "agentlock/result.hpp"
#include "base/descriptor.hpp"

namespace agentlock {

/// The system's words for `errno`, after "PATH: ".
tl::unexpected<Error> system_failure(const std::filesystem::path& path, std::string_view doing);

/// Why `status` is not of a regular file of this user with one name, or nothing.
std::optional<std::string> why_not_own_file(const struct stat& status);

/// Opens a folder that is no link, is this user's, and that nobody else can write to.
Result<Descriptor> open_own_folder(const std::filesystem::path& folder);

/// Opens a file inside an open folder, following no link; nothing if there is none.
/// kRefused if it is not a regular file of this user with one name. `path` is for
/// the words of an error.
Result<std::optional<Descriptor>> open_own_file(const Descriptor& folder,
                                                const std::filesystem::path& path, int flags);

/// Makes a file appear whole, with these bytes, in an open folder; false if there
/// was one of that name already, which is then left alone.
Result<bool> create_whole(const Descriptor& folder, const std::filesystem::path& path, mode_t mode,
                          std::string_view bytes);

/// Takes flock(2)'s exclusive lock. kTimeout after two seconds: a process that was
/// stopped while holding it must not stop us for good.
Result<void> lock_file(int fd, const std::filesystem::path& path);

/// At most `size` bytes from `offset`, fewer at the end of the file. -1 as read(2).
ssize_t read_fully(int fd, char* buffer, std::size_t size, off_t offset);
bool write_fully(int fd, std::string_view bytes, off_t offset);

}  // namespace agentlock
