#pragma once

#include <memory>
#include <string>

#include "base/task.hpp"
#include "browser/browser.hpp"
#include "config/config.hpp"
#include "perception/page_reader.hpp"
#include "tools/recorder.hpp"
#include "tools/top_level.hpp"
#include "tools/turn.hpp"

namespace agentlock::tools {

/// Holds the browser: starts it with the first call that needs one, and again after
/// it died.
class Driver {
 public:
  Driver(Executor executor, const config::Config& config, TopLevel& top_level, Recorder& recorder);

  /// The running browser. An error says what to install or to correct.
  Task<Result<browser::Browser*>> ensure(Deadline deadline);
  /// True once after the browser was started anew: what it showed is lost.
  bool take_restarted() { return std::exchange(restarted_, false); }
  bool running() const {
    return browser_ != nullptr && browser_->is_alive() && !browser_->tab().closed();
  }
  Turns& turns() { return turns_; }

  /// Ends the browser; nothing of it is left when this returns, within 2 s.
  Task<void> close();

 private:
  browser::LaunchOptions options() const;

  Executor executor_;
  const config::Config& config_;
  TopLevel& top_level_;
  Recorder& recorder_;
  Turns turns_;
  std::unique_ptr<browser::Browser> browser_;
  bool was_started_ = false;
  bool restarted_ = false;
};

}  // namespace agentlock::tools
