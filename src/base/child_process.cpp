#include "base/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
// The header of glibc 2.36 forgets that C++ may include it.
extern "C" {
#include <sys/pidfd.h>
}
#include <sys/wait.h>
#include <unistd.h>

namespace agentlock {
namespace {

// posix_spawn places the descriptors one after the other, so a source must not
// lie where another is placed before its turn.
constexpr int kAboveAllTargets = 64;

struct FileActions {
  FileActions() { posix_spawn_file_actions_init(&actions); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t actions;
};

struct Attributes {
  Attributes() { posix_spawnattr_init(&attributes); }
  ~Attributes() { posix_spawnattr_destroy(&attributes); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t attributes;
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

Result<ChildProcess> ChildProcess::spawn(const SpawnOptions& options) {
  FileActions files;
  std::vector<Descriptor> sources;
  for (std::size_t i = 0; i < options.descriptors.size(); ++i) {
    const int target = static_cast<int>(i);
    int problem = 0;
    if (options.descriptors[i] < 0) {
      problem = posix_spawn_file_actions_addopen(&files.actions, target, "/dev/null", O_RDWR, 0);
    } else {
      sources.emplace_back(::fcntl(options.descriptors[i], F_DUPFD_CLOEXEC, kAboveAllTargets));
      if (!sources.back().is_open()) return fail_with_errno("copying a descriptor");
      problem = posix_spawn_file_actions_adddup2(&files.actions, sources.back().get(), target);
    }
    if (problem != 0) return fail_with_errno("preparing a child process", problem);
  }
  posix_spawn_file_actions_addclosefrom_np(&files.actions,
                                           static_cast<int>(options.descriptors.size()));

  Attributes attributes;
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes.attributes, &none);
  posix_spawnattr_setsigdefault(&attributes.attributes, &all);
  posix_spawnattr_setflags(&attributes.attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  pid_t pid = -1;
  const auto arguments = pointers(options.arguments);
  const auto environment = pointers(options.environment);
  const int problem = posix_spawn(&pid, options.program.c_str(), &files.actions,
                                  &attributes.attributes, arguments.data(), environment.data());
  if (problem != 0) return fail_with_errno("starting " + options.program, problem);
  Descriptor pidfd(pidfd_open(pid, 0));
  if (!pidfd.is_open()) {
    auto error = fail_with_errno("watching a child process");
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return error;
  }
  return ChildProcess(pid, std::move(pidfd));
}

void ChildProcess::kill() {
  if (!status_) pidfd_send_signal(pidfd_.get(), SIGKILL, nullptr, 0);
}

std::optional<int> ChildProcess::reap() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

Task<Result<int>> ChildProcess::exited(Executor executor) {
  namespace asio = boost::asio;
  // The descriptor object closes what it is given.
  const int copy = ::fcntl(pidfd_.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) co_return fail_with_errno("watching a child process");
  asio::posix::stream_descriptor watched(std::move(executor), copy);
  while (!reap()) {
    const auto [failure] = co_await watched.async_wait(asio::posix::stream_descriptor::wait_read,
                                                       asio::as_tuple(asio::use_awaitable));
    if (failure) {
      co_return fail(ErrorCode::kCancelled, "no longer waiting for a child process");
    }
  }
  co_return *status_;
}

std::optional<int> ChildProcess::wait_for(std::chrono::milliseconds limit) {
  const Deadline deadline = after(limit);
  while (!reap()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    pollfd ended{pidfd_.get(), POLLIN, 0};
    ::poll(&ended, 1, static_cast<int>(left.count()));
  }
  return status_;
}

std::string describe_wait_status(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return "signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  }
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace agentlock
