#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/url.hpp"
#include "base/signal.hpp"
#include "base/task.hpp"
#include "browser/activity.hpp"
#include "browser/frames.hpp"
#include "cdp/connection.hpp"
#include "cdp/ids.hpp"

namespace agentlock::browser {

/// A JavaScript dialog that was dismissed for the page.
struct Dialog {
  std::string type;  ///< alert, confirm, prompt, beforeunload
  std::string message;
};

/// One tab of ours: its page session, what is known of it from events, and the few
/// things that can be done to it. All calls end by their deadline.
class Tab final : public cdp::EventListener {
 public:
  /// Attaches to a target and makes it ready: nothing has been loaded yet.
  static Task<Result<std::unique_ptr<Tab>>> attach(Executor executor,
                                                   std::shared_ptr<cdp::Connection> connection,
                                                   cdp::TargetId target, Deadline deadline);

  const cdp::TargetId& target() const { return target_; }
  const Frames& frames() const { return frames_; }
  const std::string& url() const { return frames_.main().url; }
  const Origin& origin() const { return frames_.main().origin; }
  bool crashed() const { return crashed_; }
  bool closed() const { return closed_; }
  /// Dialogs that were dismissed since the last call.
  std::vector<Dialog> take_dialogs();

  /// What follows belongs to an act of ours: settle() waits for that alone.
  void begin_act() { activity_.forget_requests(); }

  /// Goes to a URL as if it had been typed into the address bar. Returns once the
  /// document has loaded or the deadline has passed after it was committed. kRefused
  /// if it was answered 204, kNetwork if the site can't be reached.
  Task<Result<void>> navigate(const Url& url, Deadline deadline);
  /// Lets the document in the tab go to the URL itself: the browser then sends what
  /// it sends for a link, so no SameSite=Strict cookies across sites (attacks.md A9).
  Task<Result<void>> follow(const Url& url, Deadline deadline);

  struct HistoryEntry {
    std::int64_t id;
    std::string url;
    std::string title;
  };
  struct History {
    HistoryEntry current;
    std::optional<HistoryEntry> previous;
  };
  Task<Result<History>> history(Deadline deadline);
  Task<Result<void>> go_to_entry(std::int64_t id, Deadline deadline);

  /// Waits until what an act set off has ended: scripts that were due have run, no
  /// navigation is under way, the document is loaded and its scripts wait for no
  /// request; at most until the deadline. False at the deadline. See settle.cpp.
  Task<bool> settle(Deadline deadline);
  /// Stops what is being loaded.
  void stop();

  /// The script world of ours in a frame: it shares the document with the page, not
  /// its globals, so nothing that the page overrides is seen there.
  struct World {
    cdp::LoaderId document;
    std::int64_t context;
    auto operator<=>(const World&) const = default;
  };
  Task<Result<World>> world(const cdp::FrameId& frame, Deadline deadline);

  /// A command to the tab's page session.
  Task<Result<Json>> call(std::string_view method, Json params, Deadline deadline);
  void post(std::string_view method, Json params);

  void on_event(const cdp::Event& event) override;
  void on_closed(const Error& reason) override;

 private:
  Tab(Executor executor, std::shared_ptr<cdp::Connection> connection, cdp::TargetId target);
  Task<Result<void>> prepare(Deadline deadline);
  Task<bool> loaded(Deadline deadline);
  bool gone() const { return crashed_ || closed_; }
  void dismiss(const cdp::SessionId& session, const Json& dialog);
  void guard_remote_frame(const cdp::SessionId& frame);

  std::shared_ptr<cdp::Connection> connection_;
  cdp::TargetId target_;
  cdp::SessionId session_;
  std::set<cdp::SessionId> remote_;  ///< frames in other processes
  Frames frames_;
  Activity activity_;
  Signal changed_;
  std::deque<Dialog> dialogs_;
  bool crashed_ = false;
  bool closed_ = false;
  cdp::Subscription subscription_;
};

}  // namespace agentlock::browser
