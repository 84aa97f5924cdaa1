#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace agentlock {

/// A process as /proc tells of it.
struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  /// In clock ticks since the machine started. With the pid it names one process for
  /// good: pids are used again.
  std::uint64_t start = 0;
  std::string executable;              ///< the file's name; empty if it may not be seen
  std::vector<std::string> arguments;  ///< from argv[0] on, the first few, each cut
};

/// Nothing if there is no such process, or only its zombie.
std::optional<ProcessInfo> process_info(pid_t pid);

/// Whether that very process still runs.
bool is_running(pid_t pid, std::uint64_t start);

/// The parents of a process, the nearest first, up to process 1. Empty if one of them
/// ended meanwhile.
std::vector<ProcessInfo> ancestors(pid_t pid);

}  // namespace agentlock
