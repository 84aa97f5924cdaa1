#include "agentlock/file_sink.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agentlock/own_file.hpp"

namespace agentlock {
namespace {

class SystemFileSink final : public FileSink {
 public:
  Result<void> open(const std::filesystem::path& path) override {
    path_ = path;
    // O_NONBLOCK: opening a FIFO must not wait for a reader.
    Descriptor file(
        ::open(path.c_str(),
               O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600));
    if (!file.is_open()) {
      if (errno == ELOOP) return refused("is a symbolic link");
      return system_failure(path_, "cannot be opened");
    }
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return system_failure(path_, "cannot be examined");
    if (const auto why = why_not_own_file(status)) return refused(*why);
    if ((status.st_mode & 0777U) != 0600U && ::fchmod(file.get(), 0600) != 0) {
      return system_failure(path_, "cannot be closed to others");
    }
    device_ = status.st_dev;
    inode_ = status.st_ino;
    file_ = std::move(file);
    return {};
  }

  Result<void> lock() override { return lock_file(file_.get(), path_); }

  void unlock() override { ::flock(file_.get(), LOCK_UN); }

  Result<void> check() override {
    struct stat status{};
    if (::lstat(path_.c_str(), &status) != 0) {
      return system_failure(path_, "was removed while it was open");
    }
    if (const auto why = why_not_own_file(status)) return refused(*why);
    if (status.st_dev != device_ || status.st_ino != inode_) {
      return refused("was replaced while it was open");
    }
    return {};
  }

  Result<bool> at_line_start() override {
    const off_t end = ::lseek(file_.get(), 0, SEEK_END);
    if (end < 0) return system_failure(path_, "cannot be examined");
    if (end == 0) return true;
    char last = 0;
    if (read_fully(file_.get(), &last, 1, end - 1) != 1) {
      return system_failure(path_, "cannot be read");
    }
    return last == '\n';
  }

  Result<std::size_t> write(std::string_view bytes) override {
    ssize_t put = 0;
    do {
      put = ::write(file_.get(), bytes.data(), bytes.size());
    } while (put < 0 && errno == EINTR);
    if (put < 0) return system_failure(path_, "cannot be written");
    if (put == 0) return fail(ErrorCode::kIo, path_.string() + ": nothing could be written");
    return static_cast<std::size_t>(put);
  }

  Result<void> sync() override {
    if (::fdatasync(file_.get()) != 0) return system_failure(path_, "cannot be kept on disk");
    return {};
  }

 private:
  tl::unexpected<Error> refused(std::string_view why) const {
    return fail(ErrorCode::kRefused, path_.string() + ' ' + std::string(why));
  }

  std::filesystem::path path_;
  Descriptor file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace

std::unique_ptr<FileSink> system_file_sink() { return std::make_unique<SystemFileSink>(); }

Result<void> check_log_path(const std::filesystem::path& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0) {
    if (const auto why = why_not_own_file(status)) {
      return fail(ErrorCode::kRefused, path.string() + ' ' + *why);
    }
    return {};
  }
  if (errno != ENOENT) return system_failure(path, "cannot be examined");
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (::stat(folder.c_str(), &status) != 0)
    return system_failure(folder, "is no folder for the log");
  if (!S_ISDIR(status.st_mode)) return fail(ErrorCode::kRefused, folder.string() + " is no folder");
  return {};
}

}  // namespace agentlock
