#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agentlock/own_file.hpp"
#include "agentlock/signing_key.hpp"

namespace agentlock {

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
