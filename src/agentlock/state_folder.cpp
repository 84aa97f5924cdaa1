#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agentlock/own_file.hpp"
#include "agentlock/signing_key.hpp"

namespace agentlock {
namespace {

constexpr const char* kFolderName = "agentlock-browser";

bool is_absolute(const char* path) { return path != nullptr && path[0] == '/'; }

}  // namespace

Result<std::filesystem::path> state_folder(const char* home, const char* xdg_state_home) {
  // A relative XDG_STATE_HOME counts as not set: XDG Base Directory Specification.
  if (is_absolute(xdg_state_home)) {
    return (std::filesystem::path(xdg_state_home) / kFolderName).lexically_normal();
  }
  if (is_absolute(home)) {
    const auto state = std::filesystem::path(home) / ".local" / "state";
    return (state / kFolderName).lexically_normal();
  }
  return fail(ErrorCode::kInvalidArgument,
              "HOME is not set to an absolute path, so there is no place for the signing key; set "
              "HOME or XDG_STATE_HOME");
}

std::filesystem::path signing_key_in(const std::filesystem::path& folder) { return folder / "key"; }

std::filesystem::path public_half_beside(const std::filesystem::path& key_file) {
  return key_file.parent_path() / "key.pub";
}

std::filesystem::path heads_beside(const std::filesystem::path& key_file) {
  return key_file.parent_path() / "heads";
}

Result<void> ensure_state_folder(const std::filesystem::path& folder) {
  std::filesystem::path made;
  for (const auto& part : folder) {
    made /= part;
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST) {
      struct stat status{};
      // A system may say "read-only" or "not allowed" about a folder that is there.
      if (::stat(made.c_str(), &status) != 0) return system_failure(made, "cannot be made");
    }
  }
  AGENTLOCK_TRY(open, open_own_folder(folder));
  struct stat status{};
  if (::fstat(open.get(), &status) != 0) return system_failure(folder, "cannot be examined");
  if ((status.st_mode & 0777U) != 0700U) {
    return fail(ErrorCode::kRefused,
                folder.string() + " must be open to its owner only (chmod 700)");
  }
  return {};
}

}  // namespace agentlock
