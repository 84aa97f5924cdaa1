#include "browser/chromium_process.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <deque>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/log.hpp"
#include "base/signal.hpp"
#include "browser/chromium_locator.hpp"
#include "browser/leftovers.hpp"
#include "browser/profile_folder.hpp"
#include "browser/reaper.hpp"

// The browser is the reaper's child (reaper.cpp); this side only starts the
// reaper, listens to it, and tells it to end by closing its half of the control
// stream, which the kernel does for us should we be killed.
//
// Two coroutines watch: one reads the control stream up to its end, which comes
// when the reaper has ended, and then, if the reaper did not finish its work,
// does it in its place; the other reads the browser's stderr, for the address of
// its debugging port and so that the browser never blocks on a full pipe. All
// that happens is noted in one state, and a signal wakes whoever waits for it:
// launch() for the address, close() for the end of everything, exited() for the
// end of the browser.

namespace agentlock::browser {
namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace {

constexpr auto kCloseLimit = std::chrono::milliseconds(1'700);
constexpr auto kKilledReaperLimit = std::chrono::milliseconds(300);
constexpr int kRemovals = 50;
constexpr auto kBetweenRemovals = std::chrono::milliseconds(4);
constexpr std::size_t kMaxLine = 4'096;
constexpr std::size_t kKeptLines = 8;
constexpr std::string_view kListening = "DevTools listening on ";

// Splits a stream into lines; what is longer than a line may be is cut.
class Lines {
 public:
  template <typename Take>
  void feed(std::string_view text, Take&& take) {
    for (const char c : text) {
      if (c == '\n') {
        take(std::exchange(line_, {}));
      } else if (line_.size() < kMaxLine) {
        line_ += c;
      }
    }
  }

 private:
  std::string line_;
};

}  // namespace

class ChromiumProcess::Life : public std::enable_shared_from_this<Life> {
 public:
  void tell_to_end() {
    if (control_.is_open()) ::shutdown(control_.native_handle(), SHUT_WR);
  }

  struct Start {
    fs::path executable;
    bool sandboxed;
    ProfileFolder folder;
    ChildProcess reaper;
    Descriptor control;
    Descriptor diagnostics;
  };

  Life(Executor executor, Start start)
      : executor_(std::move(executor)),
        executable_(std::move(start.executable)),
        sandboxed_(start.sandboxed),
        folder_(std::move(start.folder)),
        reaper_(std::move(start.reaper)),
        control_(executor_, start.control.release()),
        diagnostics_(executor_, start.diagnostics.release()),
        changed_(executor_) {}

  void watch() {
    asio::co_spawn(executor_, watch_reaper(shared_from_this()), LogFailure{"watching Chromium"});
    asio::co_spawn(executor_, read_diagnostics(shared_from_this()),
                   LogFailure{"reading Chromium's messages"});
  }

  static Task<Result<void>> until_listening(std::shared_ptr<Life> self, Deadline deadline) {
    const bool decided = co_await self->changed_.until(
        [&life = *self] { return life.address_ || (life.end_ && life.silent_); }, deadline);
    if (self->address_) co_return Result<void>();
    if (!decided) {
      co_return fail(ErrorCode::kTimeout, "Chromium did not start in time" + self->last_words());
    }
    co_return fail(*self->end_, "Chromium could not be started" + self->last_words());
  }

  static Task<Error> until_ended(std::shared_ptr<Life> self) {
    co_await self->changed_.until([&life = *self] { return life.end_.has_value(); },
                                  Deadline::max());
    co_return *self->end_;
  }

  static Task<Result<void>> close(std::shared_ptr<Life> self) {
    self->tell_to_end();
    const auto gone = [&life = *self] { return life.gone_; };
    bool done = co_await self->changed_.until(gone, after(kCloseLimit));
    if (!done) {
      self->reaper_.kill();
      done = co_await self->changed_.until(gone, after(kKilledReaperLimit));
    }
    if (!done) co_return fail(ErrorCode::kIo, "Chromium could not be ended");
    if (self->fault_) co_return tl::unexpected(*self->fault_);
    co_return Result<void>();
  }

  // The same for a destructor: it waits in place.
  void end_now() {
    tell_to_end();
    if (!gone_) {
      if (!reaper_.wait_for(kCloseLimit)) {
        reaper_.kill();
        reaper_.wait_for(kKilledReaperLimit);
      }
      finish();
    }
    boost::system::error_code ignored;
    control_.close(ignored);
    diagnostics_.close(ignored);
  }

  const cdp::WebSocketAddress& address() const { return *address_; }
  bool sandboxed() const { return sandboxed_; }
  const fs::path& executable() const { return executable_; }
  const fs::path& profile() const { return folder_.profile(); }
  pid_t pid() const { return pid_; }

 private:
  static Task<void> watch_reaper(std::shared_ptr<Life> self) {
    Lines lines;
    std::array<char, 256> buffer{};
    while (true) {
      const asio::mutable_buffer space = asio::buffer(buffer);
      const auto [failure, size] =
          co_await self->control_.async_read_some(space, asio::as_tuple(asio::use_awaitable));
      if (failure) break;
      lines.feed({buffer.data(), size}, [&](const std::string& line) { self->heard(line); });
    }
    if (self->gone_) co_return;
    const auto status = co_await self->reaper_.exited(self->executor_);
    if (status && !self->gone_) self->finish();
  }

  void heard(const std::string& line) {
    int number = 0;
    if (line.empty()) return;
    std::from_chars(line.data() + 1, line.data() + line.size(), number);
    switch (line[0]) {
      case kReaperStarted:
        pid_ = number;
        return;
      case kReaperFailed:
        set_end(ErrorCode::kIo, executable_.string() + " can't be executed: " +
                                    std::generic_category().message(number));
        return;
      case kReaperEnded:
        set_end(ErrorCode::kBrowserGone, "Chromium ended with " + describe_wait_status(number));
        return;
      default:
        return;
    }
  }

  void set_end(ErrorCode code, std::string sentence) {
    if (!end_) end_ = Error(code, std::move(sentence));
    changed_.notify();
  }

  // The reaper has ended. If it was killed its work is still to be done: the
  // browser has got its death signal, the rest of the tree follows it, and a
  // folder can be removed once nobody writes to it any more.
  void finish() {
    set_end(ErrorCode::kBrowserGone, "Chromium was ended");
    std::error_code ignored;
    for (int attempt = 0; attempt < kRemovals && fs::exists(folder_.root(), ignored); ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(kBetweenRemovals);
      const bool some_live = pid_ > 0 && ::kill(-pid_, SIGKILL) == 0;
      if (some_live && attempt < kRemovals / 2) continue;
      const auto removed = remove_marked_folder(folder_.root());
      if (!removed) fault_ = removed.error();
    }
    if (!fs::exists(folder_.root(), ignored)) fault_.reset();
    gone_ = true;
    changed_.notify();
  }

  static Task<void> read_diagnostics(std::shared_ptr<Life> self) {
    Lines lines;
    std::array<char, 4096> buffer{};
    while (true) {
      const asio::mutable_buffer space = asio::buffer(buffer);
      const auto [failure, size] =
          co_await self->diagnostics_.async_read_some(space, asio::as_tuple(asio::use_awaitable));
      if (failure) break;
      lines.feed({buffer.data(), size}, [&](std::string line) { self->said(std::move(line)); });
    }
    self->silent_ = true;
    self->changed_.notify();
  }

  void said(std::string line) {
    log::debug("Chromium: " + line);
    if (address_) return;
    if (line.starts_with(kListening)) {
      auto address = cdp::parse_websocket_url(std::string_view(line).substr(kListening.size()));
      if (address) {
        address_ = *std::move(address);
        changed_.notify();
        return;
      }
    }
    words_.push_back(std::move(line));
    if (words_.size() > kKeptLines) words_.pop_front();
  }

  // What the browser said before it ended, for the operator's eyes. No page was
  // open yet, so none of it is a page's.
  std::string last_words() const {
    std::string text;
    for (const std::string& line : words_) {
      if (line.find("No usable sandbox") != std::string::npos) {
        return "; it finds no usable sandbox here: allow user namespaces "
               "(sysctl kernel.unprivileged_userns_clone=1, or the container's settings)";
      }
      if (!line.empty()) text += (text.empty() ? "; it said: " : " | ") + line;
    }
    return text;
  }

  Executor executor_;
  fs::path executable_;
  bool sandboxed_;
  ProfileFolder folder_;
  ChildProcess reaper_;
  asio::posix::stream_descriptor control_;
  asio::posix::stream_descriptor diagnostics_;
  Signal changed_;
  std::optional<cdp::WebSocketAddress> address_;
  std::deque<std::string> words_;
  pid_t pid_ = -1;
  /// It says no more: all who could are gone.
  bool silent_ = false;
  /// How the browser ended.
  std::optional<Error> end_;
  /// The reaper has ended, and all that it was there for.
  bool gone_ = false;
  std::optional<Error> fault_;
};

namespace {

struct Prepared {
  fs::path executable;
  LaunchFlags flags;
  ProfileFolder folder;
};

Result<Prepared> prepare(const LaunchOptions& options) {
  const fs::path parent = folder_parent(options.profile_parent);
  if (const int swept = sweep_leftovers(parent); swept > 0) {
    log::info("removed " + std::to_string(swept) + " folders that killed runs left in " +
              parent.string());
  }
  AGENTLOCK_TRY(executable, locate_chromium(options.chromium, usual_browser_places()));
  // Before a folder is made, so that a wrong option leaves nothing behind.
  AGENTLOCK_TRY(checked, make_launch_flags(options.settings, fs::path(), ::geteuid() == 0));
  (void)checked;
  AGENTLOCK_TRY(folder, options.user_data_dir.empty()
                            ? ProfileFolder::create(parent)
                            : ProfileFolder::create_around(parent, options.user_data_dir));
  AGENTLOCK_TRY(flags, make_launch_flags(options.settings, folder.profile(), ::geteuid() == 0));
  if (!options.user_data_dir.empty()) flags.arguments.emplace_back("--disable-extensions");
  return Prepared{std::move(executable), std::move(flags), std::move(folder)};
}

}  // namespace

ChromiumProcess::ChromiumProcess(std::shared_ptr<Life> life) : life_(std::move(life)) {}
void ChromiumProcess::end_soon() { life_->tell_to_end(); }

ChromiumProcess::~ChromiumProcess() { life_->end_now(); }

Task<Result<std::unique_ptr<ChromiumProcess>>> ChromiumProcess::launch(Executor executor,
                                                                       LaunchOptions options,
                                                                       Deadline deadline) {
  AGENTLOCK_CO_TRY(prepared, prepare(options));
  // Once, however often it is started anew.
  static bool said_unsandboxed = false;
  if (!prepared.flags.sandboxed && !std::exchange(said_unsandboxed, true)) {
    log::warning(
        "running as root, so Chromium is started with --no-sandbox; run agentlock-browser as an "
        "ordinary user to keep Chromium's own sandbox");
  }
  ReaperPlan plan{prepared.folder.root(), prepared.executable, {prepared.executable.string()}};
  plan.arguments.insert(plan.arguments.end(), prepared.flags.arguments.begin(),
                        prepared.flags.arguments.end());
  AGENTLOCK_CO_TRY(control, make_socket_pair());
  AGENTLOCK_CO_TRY(diagnostics, make_pipe());

  SpawnOptions spawn;
  spawn.program = options.reaper.empty() ? "/proc/self/exe" : options.reaper.string();
  spawn.arguments = {"agentlock-browser", "reaper"};
  for (std::string& argument : to_arguments(plan)) spawn.arguments.push_back(std::move(argument));
  spawn.environment = prepared.folder.environment(options.settings);
  spawn.descriptors = {-1, -1, diagnostics.second.get(), control.second.get(),
                       prepared.folder.lock().get()};
  if (prepared.folder.profile_lock().is_open()) {
    spawn.descriptors.push_back(prepared.folder.profile_lock().get());
  }
  auto reaper = ChildProcess::spawn(spawn);
  if (!reaper) {
    (void)remove_marked_folder(prepared.folder.root());
    co_return fail(reaper.error(), "Chromium could not be started");
  }
  control.second.reset();
  diagnostics.second.reset();

  auto life = std::make_shared<Life>(
      executor,
      Life::Start{prepared.executable, prepared.flags.sandboxed, std::move(prepared.folder),
                  *std::move(reaper), std::move(control.first), std::move(diagnostics.first)});
  life->watch();
  // From here on every way out ends the browser.
  std::unique_ptr<ChromiumProcess> process(new ChromiumProcess(life));
  const auto listening = co_await Life::until_listening(life, deadline);
  if (!listening) co_return tl::unexpected(listening.error());
  co_return std::move(process);
}

const cdp::WebSocketAddress& ChromiumProcess::address() const { return life_->address(); }
bool ChromiumProcess::sandboxed() const { return life_->sandboxed(); }
const fs::path& ChromiumProcess::executable() const { return life_->executable(); }
const fs::path& ChromiumProcess::profile() const { return life_->profile(); }
pid_t ChromiumProcess::pid() const { return life_->pid(); }

Task<Error> ChromiumProcess::exited() { return Life::until_ended(life_); }
Task<Result<void>> ChromiumProcess::close() { return Life::close(life_); }

}  // namespace agentlock::browser
