#pragma once

#include <filesystem>

#include "agentlock/result.hpp"

namespace agentlock::cli {

/// `$XDG_STATE_HOME/agentlock-browser`, or the same under `~/.local/state`. Null
/// stands for a variable that is not set. kInvalidArgument if neither gives an
/// absolute path: a shared place such as /tmp is never taken instead (attacks.md A51).
Result<std::filesystem::path> state_folder(const char* home, const char* xdg_state_home);

/// The signing key's file in its folder.
std::filesystem::path signing_key_in(const std::filesystem::path& folder);

}  // namespace agentlock::cli
