#pragma once

#include <filesystem>
#include <string_view>

#include "agentlock/result.hpp"
#include "base/descriptor.hpp"

namespace agentlock::browser {

/// How a private folder of ours is told from everything else: its name begins so,
/// it is the user's own, and it holds this file. The file is locked (flock) as
/// long as anyone needs the folder.
inline constexpr std::string_view kFolderPrefix = "agentlock-browser-";
inline constexpr std::string_view kMarkerName = "agentlock-browser.marker";

/// Puts the marker into a new folder; the lock is held as long as the descriptor
/// or a copy of it is open, in whatever process.
Result<Descriptor> mark_folder(const std::filesystem::path& folder);

/// Removes a marked folder, the marker last, so that an interrupted removal is
/// completed by the next sweep.
Result<void> remove_marked_folder(const std::filesystem::path& folder);

/// Removes the marked folders in `parent` that nobody holds any more, and nothing
/// else. Gives their number.
int sweep_leftovers(const std::filesystem::path& parent);

}  // namespace agentlock::browser
