#include "cli/report_file.hpp"

#include <cerrno>
#include <streambuf>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agentlock/own_file.hpp"
#include "base/descriptor.hpp"
#include "base/random_id.hpp"

namespace agentlock::cli::report {
namespace {

/// A stream's end that is a descriptor.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int fd) : fd_(fd), buffer_(std::size_t{64} << 10U) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }

  /// errno of the write that failed, or 0.
  int failure() const { return failure_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }

  int sync() override {
    const char* from = pbase();
    while (from < pptr()) {
      const ssize_t put = ::write(fd_, from, static_cast<std::size_t>(pptr() - from));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) {
        failure_ = errno;
        return -1;
      }
      from += put;
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return 0;
  }

 private:
  int fd_;
  int failure_ = 0;
  std::vector<char> buffer_;
};

// Nothing there is fine, and so is a regular file that may go.
Result<void> check_place(int folder, const std::filesystem::path& path,
                         std::span<const std::filesystem::path> spared) {
  struct stat there{};
  if (::fstatat(folder, path.filename().c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return {};
    return system_failure(path, "cannot be examined");
  }
  if (S_ISLNK(there.st_mode)) {
    return fail(ErrorCode::kRefused, path.string() + " is a symbolic link");
  }
  if (!S_ISREG(there.st_mode)) {
    return fail(ErrorCode::kRefused, path.string() + " is not a regular file");
  }
  for (const auto& one : spared) {
    struct stat kept{};
    if (::stat(one.c_str(), &kept) != 0) continue;
    if (kept.st_dev == there.st_dev && kept.st_ino == there.st_ino) {
      return fail(ErrorCode::kRefused,
                  path.string() + " is what the report is made from, or a key");
    }
  }
  return {};
}

}  // namespace

struct PageFile::Impl {
  std::filesystem::path path;
  std::string draft;
  Descriptor folder;
  Descriptor file;
  std::optional<DescriptorBuffer> buffer;
  std::optional<std::ostream> out;
  bool finished = false;

  ~Impl() {
    if (!finished) ::unlinkat(folder.get(), draft.c_str(), 0);
  }
};

PageFile::PageFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PageFile::PageFile(PageFile&&) noexcept = default;
PageFile::~PageFile() = default;

Result<PageFile> PageFile::open(const std::filesystem::path& path,
                                std::span<const std::filesystem::path> spared) {
  if (path.filename().empty() || path.filename() == "." || path.filename() == "..") {
    return fail(ErrorCode::kRefused, path.string() + " names no file");
  }
  const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  Descriptor folder(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return system_failure(parent, "cannot be opened");
  if (auto fit = check_place(folder.get(), path, spared); !fit) {
    return tl::unexpected(fit.error());
  }
  // Short, so that it fits wherever the file's own name does.
  const std::string draft = ".report-" + random_hex(8);
  Descriptor file(::openat(folder.get(), draft.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return system_failure(path, "cannot be made");
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->draft = draft;
  impl->folder = std::move(folder);
  impl->file = std::move(file);
  impl->buffer.emplace(impl->file.get());
  impl->out.emplace(&*impl->buffer);
  return PageFile(std::move(impl));
}

std::ostream& PageFile::out() { return *impl_->out; }

Result<void> PageFile::finish() {
  const bool written = impl_->out->flush().good();
  if (!written) errno = impl_->buffer->failure();
  // A link that was put there meanwhile is replaced, not followed.
  if (!written || ::fsync(impl_->file.get()) != 0 ||
      ::renameat(impl_->folder.get(), impl_->draft.c_str(), impl_->folder.get(),
                 impl_->path.filename().c_str()) != 0) {
    return system_failure(impl_->path, "cannot be written");
  }
  impl_->finished = true;
  return {};
}

}  // namespace agentlock::cli::report
