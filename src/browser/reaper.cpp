#include "browser/reaper.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.hpp"
#include "browser/leftovers.hpp"

// A browser must not outlive the server that drives it, and the server may be
// killed at any moment without being asked. So a small process stands between
// them that does nothing else and that nobody addresses: it has a session of its
// own (no terminal signal reaches it), blocks what signals can be blocked, and
// waits for one thing, the end of a stream whose other end the kernel closes when
// the server is gone.
//
// Ending the browser means its whole tree. Chromium's crash handlers leave its
// process group and are orphaned on purpose; the reaper is their subreaper, so
// they become its children and it is enough to kill all descendants until it has
// no child left. A process can fork while the list is read, so the list is read
// again until then.
//
// If the reaper itself is killed, the browser gets a death signal from the kernel
// (over a WebSocket a browser that lives on sends what was held, navigation.md,
// fact 7), and the server, or the next start, removes the folder.
//
// Limits: a process that can't be killed (stuck in the kernel) is given up after
// some seconds; its folder is then removed by the next sweep.

namespace agentlock::browser {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGiveUpAfter = std::chrono::seconds(5);
constexpr int kLookAgainAfterMs = 10;

void say(char letter, int number) {
  const std::string line = letter + std::to_string(number) + '\n';
  // Nobody may be listening any more.
  (void)::send(kReaperControl, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Only what is safe between fork and exec.
[[noreturn]] void become_browser(const char* program, char* const* arguments, pid_t reaper,
                                 int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The reaper may have ended before the line above.
  if (::getppid() != reaper) ::_exit(1);
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(program, arguments);
  const int number = errno;
  (void)!::write(report, &number, sizeof(number));
  ::_exit(1);
}

// The browser's pid, or errno negated.
pid_t start_browser(const ReaperPlan& plan) {
  auto report = make_pipe();
  if (!report) return -EMFILE;
  std::vector<char*> arguments;
  for (const std::string& argument : plan.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const pid_t reaper = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return -errno;
  if (pid == 0) {
    become_browser(plan.program.c_str(), arguments.data(), reaper, report->second.get());
  }
  report->second.reset();
  int number = 0;
  // The end of the pipe without a number means that the browser is executing.
  if (::read(report->first.get(), &number, sizeof(number)) != sizeof(number)) return pid;
  ::waitpid(pid, nullptr, 0);
  return -number;
}

// The second number after the command's name, which stands in brackets and may
// hold anything.
pid_t parent_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t name_end = text.rfind(')');
  pid_t parent = -1;
  // ") S 123": state, then the parent.
  if (name_end == std::string::npos || name_end + 4 > text.size()) return -1;
  std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  return parent;
}

std::unordered_set<pid_t> descendants_of(pid_t ancestor) {
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  DIR* const proc = ::opendir("/proc");
  if (proc == nullptr) return {};
  while (const dirent* entry = ::readdir(proc)) {
    const std::string name = entry->d_name;
    pid_t pid = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) continue;
    children[parent_of(name)].push_back(pid);
  }
  ::closedir(proc);
  std::unordered_set<pid_t> found;
  std::vector<pid_t> open = {ancestor};
  while (!open.empty()) {
    const pid_t current = open.back();
    open.pop_back();
    for (const pid_t child : children[current]) {
      if (found.insert(child).second) open.push_back(child);
    }
  }
  return found;
}

struct Reaped {
  bool has_children = true;
  std::optional<int> browser_status;
};

// Collects whoever has ended, orphans that were handed to us included.
Reaped reap(pid_t browser) {
  Reaped result;
  while (true) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid == browser) result.browser_status = status;
    if (pid > 0) continue;
    result.has_children = pid == 0;
    return result;
  }
}

void drain(int child_ended) {
  signalfd_siginfo info;
  while (::read(child_ended, &info, sizeof(info)) == sizeof(info)) {
  }
}

// True if the other end has nothing more to say.
bool control_ended() {
  std::array<char, 64> ignored{};
  const auto size = ::recv(kReaperControl, ignored.data(), ignored.size(), MSG_DONTWAIT);
  return size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR);
}

// Until the browser has ended or is to end.
void watch(pid_t browser, int child_ended) {
  while (true) {
    std::array<pollfd, 2> events = {{{kReaperControl, POLLIN, 0}, {child_ended, POLLIN, 0}}};
    if (::poll(events.data(), events.size(), -1) < 0 && errno != EINTR) return;
    if (events[1].revents != 0) {
      drain(child_ended);
      const Reaped reaped = reap(browser);
      if (reaped.browser_status) {
        say(kReaperEnded, *reaped.browser_status);
        return;
      }
    }
    if (events[0].revents != 0 && control_ended()) return;
  }
}

// True if nothing is left.
bool kill_tree(pid_t browser, int child_ended) {
  const auto give_up = Clock::now() + kGiveUpAfter;
  ::kill(-browser, SIGKILL);
  while (reap(browser).has_children) {
    if (Clock::now() > give_up) return false;
    for (const pid_t pid : descendants_of(::getpid())) ::kill(pid, SIGKILL);
    pollfd event{child_ended, POLLIN, 0};
    ::poll(&event, 1, kLookAgainAfterMs);
    drain(child_ended);
  }
  return true;
}

}  // namespace

std::vector<std::string> to_arguments(const ReaperPlan& plan) {
  std::vector<std::string> arguments = {plan.folder.string(), plan.program.string()};
  arguments.insert(arguments.end(), plan.arguments.begin(), plan.arguments.end());
  return arguments;
}

ReaperPlan reaper_plan(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) return {};
  return {arguments[0], arguments[1], {arguments.begin() + 2, arguments.end()}};
}

int run_reaper(const ReaperPlan& plan) {
  if (plan.arguments.empty() || ::fcntl(kReaperControl, F_GETFD) < 0) return 2;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "agentlock-reap");
  sigset_t all;
  sigset_t child;
  sigfillset(&all);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  const Descriptor child_ended(::signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!child_ended.is_open()) return 2;
  // Neither the stream nor the locks may be held by the browser.
  ::close_range(kReaperControl, ~0U, CLOSE_RANGE_CLOEXEC);

  const pid_t browser = start_browser(plan);
  bool all_gone = true;
  if (browser > 0) {
    say(kReaperStarted, browser);
    watch(browser, child_ended.get());
    all_gone = kill_tree(browser, child_ended.get());
  } else {
    say(kReaperFailed, -browser);
  }
  if (!all_gone) return 1;
  return remove_marked_folder(plan.folder) ? 0 : 1;
}

}  // namespace agentlock::browser
