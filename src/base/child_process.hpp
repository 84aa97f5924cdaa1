#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "agentlock/result.hpp"
#include "base/descriptor.hpp"
#include "base/task.hpp"

namespace agentlock {

struct SpawnOptions {
  std::string program;                   ///< a path, PATH is not searched
  std::vector<std::string> arguments;    ///< from argv[0] on
  std::vector<std::string> environment;  ///< all of it, as NAME=value
  /// What the child has as descriptors 0, 1, 2 and so on; -1 stands for
  /// /dev/null. It has no other.
  std::vector<int> descriptors;
};

/// A child of ours, in a process session of its own and with all signals at
/// their defaults. Watched through a pidfd, so no SIGCHLD is needed and the pid
/// can't be mistaken for another's. Letting go of it does not end it.
class ChildProcess {
 public:
  static Result<ChildProcess> spawn(const SpawnOptions& options);

  pid_t pid() const { return pid_; }
  void kill();
  /// Waits for its end and gives its wait status. One at a time.
  Task<Result<int>> exited(Executor executor);
  /// The same without an event loop, for destructors; nothing if it lives on.
  std::optional<int> wait_for(std::chrono::milliseconds limit);

 private:
  ChildProcess(pid_t pid, Descriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  std::optional<int> reap();

  pid_t pid_;
  Descriptor pidfd_;
  std::optional<int> status_;
};

/// "exit code 3", "signal 9 (Killed)".
std::string describe_wait_status(int status);

}  // namespace agentlock
