#include "cli/state_folder.hpp"

namespace agentlock::cli {
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

}  // namespace agentlock::cli
