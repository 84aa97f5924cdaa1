#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "agentlock/file_sink.hpp"
#include "agentlock/result.hpp"

namespace agentlock {

/// Puts whole lines at the end of a file that other processes write to as well.
class LogWriter {
 public:
  LogWriter(std::filesystem::path path, std::unique_ptr<FileSink> sink)
      : path_(std::move(path)), sink_(std::move(sink)) {}

  /// Returns when the line, which ends in LF, was handed to the operating system
  /// whole. After an error part of it may stand in the file as a torn line.
  Result<void> append(std::string_view line);

  Result<void> sync() { return sink_->sync(); }

 private:
  Result<void> append_locked(std::string_view line);

  std::filesystem::path path_;
  std::unique_ptr<FileSink> sink_;
  bool open_ = false;
};

}  // namespace agentlock
