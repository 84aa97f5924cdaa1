#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "agentlock/result.hpp"
#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/task.hpp"

namespace agentlock::cli::demo {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// What to run. The environment is the whole of it: nothing is inherited.
struct Launch {
  std::string program;
  std::vector<std::string> arguments;
  Environment environment;
};

/// The six variables that MCP clients pass on (mcp.md, section 0, number 12), with
/// the given home folder.
Environment minimal_environment(const std::string& home);

/// Readable once that process has ended; none if there is no such process.
Descriptor process_descriptor(pid_t pid);

/// How a process ended.
struct ExitStatus {
  /// The exit code, or -1 if a signal ended it.
  int code = -1;
  /// The signal, or 0.
  int signal = 0;
  bool operator==(const ExitStatus&) const = default;
};

/// A child process with pipes on its three standard descriptors. Its destructor
/// kills it, if it still runs, and takes its status.
class PipedProcess {
 public:
  static Result<PipedProcess> start(const Launch& launch);
  PipedProcess(PipedProcess&&) = default;
  PipedProcess& operator=(PipedProcess&&) = delete;
  ~PipedProcess();

  pid_t pid() const { return child_.pid(); }
  /// Readable once the process has ended.
  int exit_descriptor() const { return exit_.get(); }
  /// Our ends, non-blocking.
  Descriptor& input() { return input_; }
  Descriptor& output() { return output_; }
  Descriptor& errors() { return errors_; }

  /// Does nothing once the process has ended.
  void signal(int number);
  /// The status if the process has ended.
  std::optional<ExitStatus> status();

 private:
  explicit PipedProcess(ChildProcess child) : child_(std::move(child)) {}
  ChildProcess child_;
  Descriptor exit_;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
};

/// The descriptors (of those given, -1 being ignored) on which something can be
/// done; `events` are poll's. False if the deadline passed first.
struct Wait {
  int descriptor = -1;
  short events = 0;
  short happened = 0;
};
bool wait_for_any(std::vector<Wait>& waits, Deadline deadline);

/// The exit status of a program that is run to its end with nothing on its
/// standard input, and what it printed. Killed at the deadline.
struct Finished {
  ExitStatus status;
  std::string output;
  std::string errors;
};
Result<Finished> run_to_end(const Launch& launch, Deadline deadline);

}  // namespace agentlock::cli::demo
