#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "base/task.hpp"

namespace agentlock::test {

/// A process of this machine, as /proc shows it.
struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  /// The arguments, joined by blanks.
  std::string command;
};

/// The processes other than this one whose command line, working directory or
/// environment holds `text` (a profile folder, say). Ended ones that nobody has
/// waited for don't count.
std::vector<ProcessEntry> processes_mentioning(std::string_view text);

/// The process and all that descend from it, as of now.
std::vector<ProcessEntry> process_tree(pid_t root);

/// Waits until no process mentions `text`: on the end of one of those that do, then
/// looks again. True if none is left at the deadline.
bool wait_until_none_mentions(std::string_view text, Deadline deadline);

/// The same for one process, which need not be a child of ours.
bool wait_until_ended(pid_t pid, Deadline deadline);

}  // namespace agentlock::test
