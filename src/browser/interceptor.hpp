#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>

#include "base/task.hpp"
#include "browser/document_judge.hpp"
#include "cdp/connection.hpp"
#include "cdp/ids.hpp"

namespace agentlock::browser {

/// Stands between Chromium and the network: every request of every tab, frame and
/// worker is paused on the browser session, and every top-level document asks the
/// judge before its first byte leaves. See interceptor.cpp for the idea.
class Interceptor final : public cdp::EventListener {
 public:
  /// Switches interception on; nothing may be navigated before this returns.
  static Task<Result<std::unique_ptr<Interceptor>>> install(
      std::shared_ptr<cdp::Connection> connection, DocumentJudge& judge, Deadline deadline);

  /// The next page that opens without an opener is one of ours. All others are
  /// closed as they appear.
  void expect_tab() { ++expected_; }

  void on_event(const cdp::Event& event) override;

 private:
  Interceptor(std::shared_ptr<cdp::Connection> connection, DocumentJudge& judge);

  void on_request(const Json& params);
  void on_document(const Json& params, const cdp::TargetId& tab);
  void on_target(const Json& info);
  void close_page(const cdp::TargetId& tab, const cdp::TargetId& opener, std::string url);
  Ruling ask(const DocumentRequest& request);

  void proceed(const Json& params);
  void fulfil(const Json& params, int status);

  std::shared_ptr<cdp::Connection> connection_;
  DocumentJudge& judge_;
  std::set<cdp::TargetId> pages_;  ///< every target of type page
  std::set<cdp::TargetId> ours_;
  std::set<cdp::TargetId> closing_;
  int expected_ = 0;
  std::deque<std::string> announced_;  ///< addresses of windows that a page asked to open
  cdp::Subscription subscription_;
};

}  // namespace agentlock::browser
