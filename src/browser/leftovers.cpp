#include "browser/leftovers.hpp"

#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// A run that is killed together with its reaper (power loss, a container that is
// stopped) leaves its private folder behind, with cookies and cached pages. The
// next start removes such folders, and must never remove that of another run
// that lives, nor anything that is not ours.
//
// A pid in a file can't tell: pids are used again. A lock can: the kernel lets go
// of it when the last process that holds it is gone. The marker is locked under
// another name first and then renamed, so no sweep ever sees it unlocked while
// its run is alive. What counts is the open file, so a folder that was removed
// and made anew between two steps of a sweep is noticed by its link count.

namespace agentlock::browser {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMarkerText =
    "A private folder of agentlock-browser, removed when unused.\n";

bool is_ours(const fs::path& folder) {
  struct stat about{};
  return ::lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
         about.st_uid == ::geteuid() && (about.st_mode & 0777) == 0700;
}

// Open and locked if the folder is a leftover.
Descriptor lock_if_left(const fs::path& folder) {
  if (!is_ours(folder)) return {};
  Descriptor marker(
      ::open((folder / kMarkerName).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!marker.is_open()) return {};
  std::string text(kMarkerText.size() + 1, '\0');
  const auto size = ::read(marker.get(), text.data(), text.size());
  if (size < 0 || text.substr(0, static_cast<std::size_t>(size)) != kMarkerText) return {};
  if (::flock(marker.get(), LOCK_EX | LOCK_NB) != 0) return {};
  struct stat about{};
  if (::fstat(marker.get(), &about) != 0 || about.st_nlink == 0) return {};
  return marker;
}

}  // namespace

Result<Descriptor> mark_folder(const fs::path& folder) {
  const fs::path unfinished = folder / (std::string(kMarkerName) + ".new");
  Descriptor marker(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!marker.is_open()) return fail_with_errno("making " + unfinished.string());
  if (::flock(marker.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail_with_errno("locking " + unfinished.string());
  }
  if (::write(marker.get(), kMarkerText.data(), kMarkerText.size()) !=
      static_cast<ssize_t>(kMarkerText.size())) {
    return fail_with_errno("writing " + unfinished.string());
  }
  if (::rename(unfinished.c_str(), (folder / kMarkerName).c_str()) != 0) {
    return fail_with_errno("naming " + unfinished.string());
  }
  return marker;
}

Result<void> remove_marked_folder(const fs::path& folder) {
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (entry->path().filename() == kMarkerName) continue;
    fs::remove_all(entry->path(), problem);
    if (problem) break;
  }
  if (!problem) fs::remove(folder / kMarkerName, problem);
  if (!problem) fs::remove(folder, problem);
  if (problem && problem != std::errc::no_such_file_or_directory) {
    return fail(ErrorCode::kIo, "removing " + folder.string() + ": " + problem.message());
  }
  return {};
}

int sweep_leftovers(const fs::path& parent) {
  int removed = 0;
  std::error_code problem;
  for (fs::directory_iterator entry(parent, fs::directory_options::skip_permission_denied, problem),
       end;
       !problem && entry != end; entry.increment(problem)) {
    const fs::path folder = entry->path();
    if (!folder.filename().string().starts_with(kFolderPrefix)) continue;
    const Descriptor lock = lock_if_left(folder);
    if (lock.is_open() && remove_marked_folder(folder)) ++removed;
  }
  return removed;
}

}  // namespace agentlock::browser
