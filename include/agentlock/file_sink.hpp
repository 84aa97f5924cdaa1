#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

#include "agentlock/result.hpp"

namespace agentlock {

/// Where the decision log's bytes go. A program that keeps its log elsewhere than in
/// a file of this system brings its own; tests bring a model whose Nth step fails. All
/// errors name the path and the reason, and one of them ends the log for good.
class FileSink {
 public:
  virtual ~FileSink() = default;

  /// Opens `path` for appending, making it with mode 0600 if it is missing. kRefused
  /// for a link, for what is no regular file, for another user's file and for a file
  /// with a second name.
  virtual Result<void> open(const std::filesystem::path& path) = 0;

  /// Keeps other processes out until unlock(). kTimeout after two seconds.
  virtual Result<void> lock() = 0;
  virtual void unlock() = 0;

  /// Fails unless the path still names the open file.
  virtual Result<void> check() = 0;

  /// False if the file ends in a line that nobody finished.
  virtual Result<bool> at_line_start() = 0;

  /// One write(2) at the end of the file; how many bytes it took, at least one.
  virtual Result<std::size_t> write(std::string_view bytes) = 0;

  /// Returns when what was written is on the disk.
  virtual Result<void> sync() = 0;
};

/// A file of this system.
std::unique_ptr<FileSink> system_file_sink();

/// What open() would refuse, found without making the file: for the check of a
/// configuration. A path with nothing there passes if its folder exists.
Result<void> check_log_path(const std::filesystem::path& path);

}  // namespace agentlock
