#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "agentlock/result.hpp"

namespace agentlock::browser {

/// Where to look for a browser that was not named.
struct BrowserPlaces {
  /// As PATH: folders between colons.
  std::string_view search_path;
  /// Programs or launchers.
  std::vector<std::filesystem::path> usual;
};

/// This process's PATH and the places where distributions put Chromium.
BrowserPlaces usual_browser_places();

/// The browser's program itself: a launcher script (Debian's /usr/bin/chromium)
/// is resolved, as it would run shell commands in the browser's name and costs
/// 0.1 s. `configured`, if not empty, is the only place. kNotFound lists the
/// places looked at and says how to name the browser.
Result<std::filesystem::path> locate_chromium(const std::filesystem::path& configured,
                                              const BrowserPlaces& places);

}  // namespace agentlock::browser
