#pragma once

#include <memory>
#include <string>

#include "base/task.hpp"
#include "browser/chromium_process.hpp"
#include "browser/document_judge.hpp"
#include "browser/interceptor.hpp"
#include "browser/tab.hpp"
#include "cdp/connection.hpp"

namespace agentlock::browser {

/// A running Chromium behind an interceptor, with one tab of ours in it. When this
/// object goes, all of it goes.
class Browser final : public cdp::EventListener {
 public:
  /// Starts Chromium. Its first messages switch interception on; only then is a tab
  /// made. `judge` outlives the browser.
  static Task<Result<std::unique_ptr<Browser>>> launch(Executor executor, LaunchOptions options,
                                                       DocumentJudge& judge, Deadline deadline);
  ~Browser() override;

  Tab& tab() { return *tab_; }
  /// Chromium runs and answers; when not, this object is of no more use.
  bool is_alive() const { return alive_ && connection_->is_open(); }
  /// As "Chrome/156.0.8078.108".
  const std::string& version() const { return version_; }
  bool sandboxed() const { return process_->sandboxed(); }

  /// Ends the browser; processes and folder are gone when it returns, within 2 s.
  Task<void> close();

  void on_event(const cdp::Event& /*event*/) override {}
  void on_closed(const Error& reason) override;

 private:
  Browser() = default;
  Task<Result<void>> start(Executor executor, DocumentJudge& judge, Deadline deadline);

  std::unique_ptr<ChromiumProcess> process_;
  std::shared_ptr<cdp::Connection> connection_;
  std::unique_ptr<Interceptor> interceptor_;
  std::unique_ptr<Tab> tab_;
  std::string version_;
  bool alive_ = true;
  cdp::Subscription subscription_;
};

}  // namespace agentlock::browser
