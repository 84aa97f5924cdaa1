#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <sys/types.h>

#include "agentlock/result.hpp"
#include "base/task.hpp"
#include "browser/launch_flags.hpp"
#include "cdp/transport.hpp"

namespace agentlock::browser {

struct LaunchOptions {
  BrowserSettings settings;
  /// The browser to run; empty: looked for (chromium_locator.hpp).
  std::filesystem::path chromium;
  /// Where the private profile folder is made; empty: $TMPDIR or /tmp.
  std::filesystem::path profile_parent;
  /// The operator's own profile, used in place of a private one and kept.
  std::filesystem::path user_data_dir;
  /// A program whose `reaper` command is cli::reaper_main(); empty: this one.
  std::filesystem::path reaper;
};

/// A running Chromium with its reaper and its profile folder. However this
/// object, this process or the reaper ends, the browser ends too.
///
/// The end is a kill, not a farewell: a browser that shuts down in its own time
/// sends what it held back. One that must write its profile first is asked by
/// CDP, while requests are still intercepted, and closed here afterwards.
class ChromiumProcess {
 public:
  /// Sweeps the leftovers of killed runs, starts the browser and waits until it
  /// takes connections. kNotFound: no browser, with the places looked at; kIo
  /// and kBrowserGone: it didn't start, with what it said; kTimeout.
  static Task<Result<std::unique_ptr<ChromiumProcess>>> launch(Executor executor,
                                                               LaunchOptions options,
                                                               Deadline deadline);
  /// Kills, and waits until processes and folder are gone (2 s at most).
  ~ChromiumProcess();
  ChromiumProcess(const ChromiumProcess&) = delete;
  ChromiumProcess& operator=(const ChromiumProcess&) = delete;

  /// Where it takes CDP connections.
  const cdp::WebSocketAddress& address() const;
  /// Whether Chromium's own sandbox is on.
  bool sandboxed() const;
  const std::filesystem::path& executable() const;
  const std::filesystem::path& profile() const;
  pid_t pid() const;

  /// Waits until the browser has ended by itself or was ended; says how. Can be
  /// awaited by several, and after the end.
  Task<Error> exited();

  /// Has the browser ended, without waiting for it.
  void end_soon();

  /// Ends the browser; processes and folder are gone when it returns, within 2 s.
  Task<Result<void>> close();

 private:
  class Life;
  explicit ChromiumProcess(std::shared_ptr<Life> life);
  std::shared_ptr<Life> life_;
};

}  // namespace agentlock::browser
