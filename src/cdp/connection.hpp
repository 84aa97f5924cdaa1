#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/result.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "cdp/ids.hpp"
#include "cdp/transport.hpp"

namespace agentlock::cdp {

/// One event of Chromium. The references live as long as on_event() runs.
struct Event {
  const SessionId& session;
  std::string_view method;
  const Json& params;
};

/// Learns of events. Called from the reader: it must return at once, and what it
/// wants to ask Chromium it sends with post() or spawns. It may add and drop
/// subscriptions while it is called; a new one starts with the next event.
class EventListener {
 public:
  virtual ~EventListener() = default;
  virtual void on_event(const Event& event) = 0;
  /// The connection ended; no event follows.
  virtual void on_closed(const Error& reason) { (void)reason; }
};

/// Ends with its scope: afterwards the listener isn't called again. May outlive
/// the connection.
class [[nodiscard]] Subscription {
 public:
  Subscription() = default;
  Subscription(Subscription&&) noexcept = default;
  Subscription& operator=(Subscription&&) noexcept;
  ~Subscription();

  void reset();

 private:
  friend class Connection;
  struct Slot;
  explicit Subscription(std::shared_ptr<Slot> slot);
  std::shared_ptr<Slot> slot_;
};

/// Bounds of what may wait in the connection at a time.
struct ConnectionLimits {
  std::size_t max_pending_calls = 10'000;
  std::size_t max_queued_bytes = std::size_t{64} << 20;
  /// For commands that nobody waits for.
  std::chrono::milliseconds post_timeout = std::chrono::seconds(30);
};

/// Multiplexes the commands and events of all sessions over one transport. All
/// of it runs on the executor given, which must be one thread.
///
/// Errors of a command: kTimeout (its deadline), kCancelled (the awaiting
/// coroutine was cancelled), kTargetGone (its target crashed or was detached),
/// kBrowserGone (the connection ended), kLimit, or what to_error() makes of
/// Chromium's own answer. The first four come at once, for all calls that wait.
///
/// A crashed target still takes new calls (a navigation revives it).
class Connection {
 public:
  using Reply = std::function<void(Result<Json>)>;

  /// Starts to read at once.
  static std::shared_ptr<Connection> open(Executor executor, std::unique_ptr<Transport> transport,
                                          ConnectionLimits limits = {});
  /// As close().
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// `method` must be one of the names of protocol.hpp: only a view is kept.
  Task<Result<Json>> call(SessionId session, std::string_view method, Json params,
                          Deadline deadline);
  /// Without parameters.
  Task<Result<Json>> call(SessionId session, std::string_view method, Deadline deadline);

  /// Sends a command at once; commands leave in the order in which they were
  /// given, those of call() included. A failure is logged and otherwise unseen.
  void post(SessionId session, std::string_view method, Json params);
  void post(SessionId session, std::string_view method);
  /// The same; `reply` is called exactly once, later, unless the connection is
  /// destroyed together with its executor. It must not wait in place.
  void send_with(SessionId session, std::string_view method, Json params, Reply reply);

  /// `listener` must outlive the subscription.
  Subscription subscribe(EventListener& listener);

  /// Fails the calls of one session that wait now.
  void fail_session(const SessionId& session, const Error& reason);

  bool is_open() const;
  /// Calls that wait for their reply.
  std::size_t pending_calls() const;
  /// Ends the transport, fails what waits and tells the listeners.
  void close();

 private:
  class Core;
  explicit Connection(std::shared_ptr<Core> core);
  std::shared_ptr<Core> core_;
};

}  // namespace agentlock::cdp
