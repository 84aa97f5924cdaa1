#include "cli/demo_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace agentlock::cli::demo {
namespace {

constexpr std::size_t kMaxOutput = 16UL << 20U;

void make_unblocking(const Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

// Appends what can be read now; closes the descriptor at the end of the stream.
void drain(Descriptor& from, std::string& into) {
  std::array<char, 65536> piece{};
  while (from.is_open()) {
    const ssize_t got = ::read(from.get(), piece.data(), piece.size());
    if (got > 0) {
      const std::size_t room = kMaxOutput - std::min(kMaxOutput, into.size());
      into.append(piece.data(), std::min(room, static_cast<std::size_t>(got)));
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else if (got < 0 && errno == EAGAIN) {
      return;
    } else {
      from.reset();
    }
  }
}

}  // namespace

Environment minimal_environment(const std::string& home) {
  Environment environment{{"HOME", home}};
  for (const char* name : {"LOGNAME", "PATH", "SHELL", "TERM", "USER"}) {
    if (const char* value = std::getenv(name)) environment.emplace_back(name, value);
  }
  return environment;
}

// By number: glibc 2.36 declares the function without C linkage.
Descriptor process_descriptor(pid_t pid) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

Result<PipedProcess> PipedProcess::start(const Launch& launch) {
  AGENTLOCK_TRY(input, make_pipe());
  AGENTLOCK_TRY(output, make_pipe());
  AGENTLOCK_TRY(errors, make_pipe());
  SpawnOptions options;
  options.program = launch.program;
  options.arguments = launch.arguments;
  options.arguments.insert(options.arguments.begin(), launch.program);
  for (const auto& [name, value] : launch.environment) {
    options.environment.push_back(name + "=" + value);
  }
  options.descriptors = {input.first.get(), output.second.get(), errors.second.get()};
  AGENTLOCK_TRY(child, ChildProcess::spawn(options));

  PipedProcess process(std::move(child));
  process.exit_ = process_descriptor(process.pid());
  process.input_ = std::move(input.second);
  process.output_ = std::move(output.first);
  process.errors_ = std::move(errors.first);
  make_unblocking(process.input_);
  make_unblocking(process.output_);
  make_unblocking(process.errors_);
  return process;
}

PipedProcess::~PipedProcess() {
  if (!exit_.is_open()) return;
  signal(SIGKILL);
  child_.wait_for(std::chrono::seconds(10));
}

void PipedProcess::signal(int number) {
  // Its number can't be another's before its status has been taken.
  if (!status()) ::kill(pid(), number);
}

std::optional<ExitStatus> PipedProcess::status() {
  const std::optional<int> raw = child_.wait_for(std::chrono::milliseconds(0));
  if (!raw) return std::nullopt;
  return WIFEXITED(*raw) ? ExitStatus{WEXITSTATUS(*raw), 0} : ExitStatus{-1, WTERMSIG(*raw)};
}

bool wait_for_any(std::vector<Wait>& waits, Deadline deadline) {
  std::vector<pollfd> polled;
  for (const Wait& wait : waits) polled.push_back({wait.descriptor, wait.events, 0});
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto capped = std::clamp<std::int64_t>(left.count(), 0, 3'600'000);
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(capped));
    if (ready < 0 && errno == EINTR) continue;
    for (std::size_t i = 0; i < waits.size(); ++i) waits[i].happened = polled[i].revents;
    return ready > 0;
  }
}

Result<Finished> run_to_end(const Launch& launch, Deadline deadline) {
  Result<PipedProcess> child = PipedProcess::start(launch);
  if (!child) return tl::unexpected(child.error());
  child->input().reset();
  Finished finished;
  while (true) {
    std::vector<Wait> waits{{child->output().get(), POLLIN},
                            {child->errors().get(), POLLIN},
                            {child->exit_descriptor(), POLLIN}};
    if (!wait_for_any(waits, deadline)) {
      return fail(ErrorCode::kTimeout, launch.program + " did not end in time");
    }
    // Whoever inherited the pipes may outlive the process: its own exit counts.
    const std::optional<ExitStatus> status = child->status();
    drain(child->output(), finished.output);
    drain(child->errors(), finished.errors);
    if (status) {
      finished.status = *status;
      return finished;
    }
  }
}

}  // namespace agentlock::cli::demo
