#include "browser/chromium_locator.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include <unistd.h>

namespace agentlock::browser {
namespace fs = std::filesystem;
namespace {

constexpr std::array kNames = {"chromium", "chromium-browser", "google-chrome-stable",
                               "google-chrome"};

constexpr std::string_view kHowToName =
    "Install one (Debian: apt-get install chromium), or name it with chromium_path in the "
    "configuration or AGENTLOCK_BROWSER_CHROMIUM.";

enum class Kind { kProgram, kScript, kNothing };

Kind kind_of(const fs::path& file) {
  std::error_code problem;
  if (!fs::is_regular_file(file, problem) || ::access(file.c_str(), X_OK) != 0) {
    return Kind::kNothing;
  }
  std::array<char, 4> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  const std::string_view text(begin.data(), begin.size());
  if (text ==
      "\x7f"
      "ELF")
    return Kind::kProgram;
  return text.starts_with("#!") ? Kind::kScript : Kind::kNothing;
}

// Where the program of a launcher lies. A script is not read: what it says is
// shell. Distributions install <prefix>/bin/<name> for <prefix>/lib/<name>/<name>,
// and the vendor puts both into one folder.
std::vector<fs::path> programs_of_launcher(const fs::path& launcher) {
  const std::string name = launcher.filename().string();
  const fs::path folder = launcher.parent_path();
  std::vector<fs::path> places;
  for (const char* lib : {"lib", "lib64", "share"}) {
    places.push_back(folder.parent_path() / lib / name / name);
  }
  places.push_back(folder / "chrome");
  return places;
}

// The program that `candidate` stands for, or empty.
fs::path resolve(const fs::path& candidate) {
  std::error_code problem;
  const fs::path file = fs::canonical(candidate, problem);
  if (problem) return {};
  switch (kind_of(file)) {
    case Kind::kProgram:
      // A link to the snap tool is a launcher too, and can't be looked through.
      return file.filename() == "snap" ? fs::path() : file;
    case Kind::kScript:
      for (const fs::path& program : programs_of_launcher(file)) {
        if (kind_of(program) == Kind::kProgram) return fs::canonical(program, problem);
      }
      return {};
    case Kind::kNothing:
      return {};
  }
  return {};
}

std::vector<fs::path> candidates(const BrowserPlaces& places) {
  std::vector<fs::path> found;
  std::string_view rest = places.search_path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    // A relative folder would depend on where a client happened to start us.
    if (!folder.starts_with('/')) continue;
    for (const char* name : kNames) found.push_back(fs::path(folder) / name);
  }
  found.insert(found.end(), places.usual.begin(), places.usual.end());
  return found;
}

}  // namespace

BrowserPlaces usual_browser_places() {
  const char* path = std::getenv("PATH");
  return {path == nullptr ? std::string_view() : std::string_view(path),
          {"/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser",
           "/usr/lib/chromium-browser/chromium-browser", "/usr/bin/chromium",
           "/usr/bin/chromium-browser", "/opt/google/chrome/chrome", "/opt/chromium/chrome"}};
}

Result<fs::path> locate_chromium(const fs::path& configured, const BrowserPlaces& places) {
  if (!configured.empty()) {
    const fs::path program = resolve(configured);
    if (!program.empty()) return program;
    return fail(
        ErrorCode::kNotFound,
        "chromium_path " + configured.string() +
            " is neither a browser's program nor a launcher of one. Name the program itself "
            "(Debian: /usr/lib/chromium/chromium).");
  }
  std::string looked_at;
  for (const fs::path& candidate : candidates(places)) {
    const fs::path program = resolve(candidate);
    if (!program.empty()) return program;
    looked_at += (looked_at.empty() ? "" : ", ") + candidate.string();
  }
  return fail(ErrorCode::kNotFound,
              "No Chromium was found. Looked at: " + looked_at + ". " + std::string(kHowToName));
}

}  // namespace agentlock::browser
