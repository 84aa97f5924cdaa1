#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agentlock::browser {

/// What the reaper is told on its command line.
struct ReaperPlan {
  /// Removed at the end.
  std::filesystem::path folder;
  /// The browser and its arguments from argv[0] on. It inherits the reaper's
  /// environment and its descriptors 0, 1 and 2.
  std::filesystem::path program;
  std::vector<std::string> arguments;
};

/// Beside 0 to 2 the reaper has this descriptor, a stream to us whose end is ours; all
/// after it are locks that are only held.
inline constexpr int kReaperControl = 3;

/// Lines that the reaper sends: the letter, a number, a newline.
inline constexpr char kReaperStarted = 'S';  ///< the browser's pid
inline constexpr char kReaperFailed = 'F';   ///< errno of the attempt to execute it
inline constexpr char kReaperEnded = 'E';    ///< the browser's wait status

/// The plan as arguments of the command `reaper`, and back.
std::vector<std::string> to_arguments(const ReaperPlan& plan);
ReaperPlan reaper_plan(const std::vector<std::string>& arguments);

/// Runs the browser until it ends or until the other end of the control stream
/// is closed for writing, then kills everything that descends from it, removes
/// the folder and returns the exit code. Needs a process of its own: it changes
/// signals, descriptors and the process's role for orphans.
int run_reaper(const ReaperPlan& plan);

}  // namespace agentlock::browser
