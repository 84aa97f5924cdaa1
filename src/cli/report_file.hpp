#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <span>
#include <string>

#include "agentlock/result.hpp"

namespace agentlock::cli::report {

/// A file that appears whole or not at all: it is written under another name in the
/// same folder, mode 0600, and takes its place when it is finished. What was there
/// before is then gone; left to itself, nothing has changed.
class PageFile {
 public:
  /// kRefused if the path names a link, anything else than a regular file, or one of
  /// the files in `spared` under whatever name.
  static Result<PageFile> open(const std::filesystem::path& path,
                               std::span<const std::filesystem::path> spared);

  PageFile(PageFile&&) noexcept;
  PageFile& operator=(PageFile&&) = delete;
  ~PageFile();

  std::ostream& out();
  /// Puts it in its place, with all that was written on the disk.
  Result<void> finish();

 private:
  struct Impl;
  explicit PageFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace agentlock::cli::report
