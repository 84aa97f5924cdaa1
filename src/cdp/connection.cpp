#include "cdp/connection.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "cdp/errors.hpp"
#include "cdp/message.hpp"
#include "cdp/protocol.hpp"

// Many commands are under way at a time, in many sessions, over one stream of
// messages; each must end, whatever Chromium, the page or the caller does.
//
// One coroutine reads and one writes; between them and the callers lie a queue
// of texts and a table of the commands that wait, by id. A command leaves the
// table exactly once: by its reply, its deadline, the cancellation of its
// caller, the end of its session or the end of the connection. Whoever takes it
// out calls its reply function, so nothing is answered twice and nothing is
// forgotten. A caller that is a coroutine waits on a timer that is set to its
// deadline; the reply function stores the result and cancels the timer.
//
// Chromium never answers the commands of a renderer that crashed or of a session
// that ended (navigation.md, section 8), so the events that tell of it are
// watched here and fail those commands at once, before any listener hears them.
//
// A message that can't be parsed must not cost more than itself: if an id can be
// made out its command fails, else it is logged and left out. A paused request
// that is lost so stays paused, which is the safe side. For the same reason an
// exception of a listener is logged and does not end the connection: over a
// WebSocket the end of the connection sends what was held (fact 7).

namespace agentlock::cdp {

namespace asio = boost::asio;

struct Subscription::Slot {
  EventListener* listener = nullptr;
};

Subscription::Subscription(std::shared_ptr<Slot> slot) : slot_(std::move(slot)) {}

Subscription& Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    reset();
    slot_ = std::move(other.slot_);
  }
  return *this;
}

Subscription::~Subscription() { reset(); }

void Subscription::reset() {
  if (slot_) slot_->listener = nullptr;
  slot_.reset();
}

class Connection::Core : public std::enable_shared_from_this<Core> {
 public:
  using CommandId = std::int64_t;

  Core(Executor executor, std::unique_ptr<Transport> transport, ConnectionLimits limits)
      : executor_(std::move(executor)),
        transport_(std::move(transport)),
        limits_(limits),
        queue_filled_(executor_) {}

  void start() {
    asio::co_spawn(executor_, read_all(shared_from_this()), LogFailure{"the CDP reader"});
    asio::co_spawn(executor_, write_all(shared_from_this()), LogFailure{"the CDP writer"});
  }

  Result<CommandId> send(SessionId session, std::string_view method, const Json& params,
                         Reply reply) {
    if (end_) return tl::unexpected(*end_);
    if (pending_.size() >= limits_.max_pending_calls) {
      return fail(ErrorCode::kLimit, "too many commands to Chromium wait for an answer");
    }
    const CommandId id = ++last_id_;
    std::string text = command_text(id, session, method, params);
    if (queued_bytes_ + text.size() > limits_.max_queued_bytes) {
      return fail(ErrorCode::kLimit, "Chromium does not take in what was sent to it");
    }
    queued_bytes_ += text.size();
    queue_.push_back(std::move(text));
    queue_filled_.cancel();
    pending_.emplace(id, Pending{std::move(session), method, std::move(reply), nullptr});
    return id;
  }

  static Task<Result<Json>> call(std::shared_ptr<Core> self, SessionId session,
                                 std::string_view method, Json params, Deadline deadline) {
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) co_return cancelled(method);
    if (deadline <= std::chrono::steady_clock::now()) co_return timed_out(method);

    struct Waiter {
      asio::steady_timer deadline;
      std::optional<Result<Json>> result;
    };
    const auto waiter = std::make_shared<Waiter>(asio::steady_timer(self->executor_, deadline));
    const auto id = self->send(std::move(session), method, params, [waiter](Result<Json> result) {
      waiter->result = std::move(result);
      waiter->deadline.cancel();
    });
    if (!id) co_return tl::unexpected(id.error());
    const Forget forget{*self, *id};
    const auto [failure] =
        co_await waiter->deadline.async_wait(asio::as_tuple(asio::use_awaitable));
    if (waiter->result) co_return *std::move(waiter->result);
    if (failure) co_return cancelled(method);
    co_return timed_out(method);
  }

  void send_with(SessionId session, std::string_view method, const Json& params, Reply reply) {
    // The reply function may be needed by either path, so it is shared.
    const auto shared = std::make_shared<Reply>(std::move(reply));
    const auto id = send(std::move(session), method, params,
                         [shared](Result<Json> result) { (*shared)(std::move(result)); });
    if (!id) {
      asio::post(executor_,
                 [shared, error = id.error()] { (*shared)(Result<Json>(tl::unexpected(error))); });
      return;
    }
    auto timer = std::make_unique<asio::steady_timer>(executor_, limits_.post_timeout);
    timer->async_wait([weak = weak_from_this(), id = *id](boost::system::error_code failure) {
      const auto self = weak.lock();
      if (failure || !self) return;
      if (auto late = self->take(id)) late->reply(timed_out(late->method));
    });
    pending_.at(*id).timer = std::move(timer);
  }

  std::shared_ptr<Subscription::Slot> add(EventListener& listener) {
    auto slot = std::make_shared<Subscription::Slot>();
    slot->listener = &listener;
    slots_.push_back(slot);
    return slot;
  }

  void fail_session(const SessionId& session, const Error& reason) {
    std::vector<Reply> replies;
    for (auto entry = pending_.begin(); entry != pending_.end();) {
      if (entry->second.session == session) {
        replies.push_back(std::move(entry->second.reply));
        entry = pending_.erase(entry);
      } else {
        ++entry;
      }
    }
    for (const Reply& reply : replies) reply(Result<Json>(tl::unexpected(reason)));
  }

  void end(Error reason) {
    if (end_) return;
    end_ = std::move(reason);
    transport_->close();
    queue_filled_.cancel();
    const auto pending = std::exchange(pending_, {});
    for (const auto& [id, command] : pending) command.reply(Result<Json>(tl::unexpected(*end_)));
    tell([this](EventListener& listener) { listener.on_closed(*end_); });
  }

  bool is_open() const { return !end_; }
  std::size_t pending_calls() const { return pending_.size(); }

 private:
  struct Pending {
    SessionId session;
    std::string_view method;
    Reply reply;
    std::unique_ptr<asio::steady_timer> timer;
  };

  /// Takes the command out of the table also when the caller's frame is
  /// destroyed in the middle of its wait.
  struct Forget {
    Core& core;
    CommandId id;
    ~Forget() { core.pending_.erase(id); }
  };

  static tl::unexpected<Error> cancelled(std::string_view method) {
    return fail(ErrorCode::kCancelled, std::string(method) + " was cancelled");
  }
  static tl::unexpected<Error> timed_out(std::string_view method) {
    return fail(ErrorCode::kTimeout, "Chromium did not answer " + std::string(method) + " in time");
  }

  std::optional<Pending> take(CommandId id) {
    const auto found = pending_.find(id);
    if (found == pending_.end()) return std::nullopt;
    std::optional<Pending> taken(std::move(found->second));
    pending_.erase(found);
    return taken;
  }

  static Task<void> read_all(std::shared_ptr<Core> self) {
    while (self->is_open()) {
      auto text = co_await self->transport_->read();
      if (!self->is_open()) break;
      if (!text) {
        self->end(Error(ErrorCode::kBrowserGone, "the connection to Chromium ended",
                        std::make_shared<const Error>(text.error())));
        break;
      }
      self->receive(*std::move(text));
    }
  }

  static Task<void> write_all(std::shared_ptr<Core> self) {
    while (self->is_open()) {
      if (self->queue_.empty()) {
        self->queue_filled_.expires_at(asio::steady_timer::time_point::max());
        co_await self->queue_filled_.async_wait(asio::as_tuple(asio::use_awaitable));
        continue;
      }
      std::string text = std::move(self->queue_.front());
      self->queue_.pop_front();
      const std::size_t size = text.size();
      const auto written = co_await self->transport_->write(std::move(text));
      self->queued_bytes_ -= size;
      if (!written) {
        self->end(Error(ErrorCode::kBrowserGone, "the connection to Chromium ended",
                        std::make_shared<const Error>(written.error())));
      }
    }
  }

  void receive(std::string text) {
    Message message = read_message(std::move(text));
    if (auto* reply = std::get_if<ReplyMessage>(&message)) {
      auto command = take(reply->id);
      if (!command) return;  // it timed out or was cancelled
      if (reply->failure) {
        command->reply(Result<Json>(tl::unexpected(*reply->failure)));
      } else if (reply->error) {
        command->reply(Result<Json>(tl::unexpected(to_error(command->method, *reply->error))));
      } else {
        command->reply(std::move(reply->result));
      }
    } else if (const auto* event = std::get_if<EventMessage>(&message)) {
      end_calls_of_gone_sessions(*event);
      const Event seen{event->session, event->method, event->params};
      tell([&seen](EventListener& listener) { listener.on_event(seen); });
    } else {
      log::warning("a message of Chromium was left out: " +
                   std::get<UnreadableMessage>(message).reason);
    }
  }

  void end_calls_of_gone_sessions(const EventMessage& event) {
    const Error gone(ErrorCode::kTargetGone, "the tab or frame was closed or replaced");
    const Error crashed(ErrorCode::kTargetGone, "the tab or frame crashed");
    if (event.method == kTargetAttachedToTarget) {
      const Json* info = member(event.params, "targetInfo");
      targets_[SessionId(string_member(event.params, "sessionId"))] =
          TargetId(info == nullptr ? "" : string_member(*info, "targetId"));
    } else if (event.method == kTargetDetachedFromTarget) {
      const SessionId session(string_member(event.params, "sessionId"));
      targets_.erase(session);
      fail_session(session, gone);
    } else if (event.method == kInspectorDetached && !event.session.empty()) {
      fail_session(event.session, gone);
    } else if (event.method == kInspectorTargetCrashed && !event.session.empty()) {
      fail_session(event.session, crashed);
    } else if (event.method == kTargetTargetCrashed) {
      const TargetId target(string_member(event.params, "targetId"));
      for (const auto& [session, of] : targets_) {
        if (of == target) fail_session(session, crashed);
      }
    }
  }

  template <typename Say>
  void tell(const Say& say) {
    ++telling_;
    const std::size_t count = slots_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::shared_ptr<Subscription::Slot> slot = slots_[i];
      if (slot->listener == nullptr) continue;
      try {
        say(*slot->listener);
      } catch (const std::exception& error) {
        log::error(std::string("a listener for Chromium's events failed: ") + error.what());
      }
    }
    if (--telling_ == 0) {
      std::erase_if(slots_, [](const auto& slot) { return slot->listener == nullptr; });
    }
  }

  Executor executor_;
  std::unique_ptr<Transport> transport_;
  ConnectionLimits limits_;
  /// Wakes the writer by its cancellation.
  asio::steady_timer queue_filled_;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  CommandId last_id_ = 0;
  std::unordered_map<CommandId, Pending> pending_;
  std::unordered_map<SessionId, TargetId> targets_;
  std::vector<std::shared_ptr<Subscription::Slot>> slots_;
  int telling_ = 0;
  std::optional<Error> end_;
};

Connection::Connection(std::shared_ptr<Core> core) : core_(std::move(core)) {}

std::shared_ptr<Connection> Connection::open(Executor executor,
                                             std::unique_ptr<Transport> transport,
                                             ConnectionLimits limits) {
  auto core = std::make_shared<Core>(std::move(executor), std::move(transport), limits);
  core->start();
  return std::shared_ptr<Connection>(new Connection(std::move(core)));
}

Connection::~Connection() { close(); }

Task<Result<Json>> Connection::call(SessionId session, std::string_view method, Json params,
                                    Deadline deadline) {
  return Core::call(core_, std::move(session), method, std::move(params), deadline);
}

Task<Result<Json>> Connection::call(SessionId session, std::string_view method, Deadline deadline) {
  return Core::call(core_, std::move(session), method, Json::object(), deadline);
}

void Connection::post(SessionId session, std::string_view method, Json params) {
  send_with(std::move(session), method, std::move(params), [method](const Result<Json>& reply) {
    if (!reply) log::debug(std::string(method) + ": " + reply.error().describe());
  });
}

void Connection::post(SessionId session, std::string_view method) {
  post(std::move(session), method, Json::object());
}

void Connection::send_with(SessionId session, std::string_view method, Json params, Reply reply) {
  core_->send_with(std::move(session), method, params, std::move(reply));
}

Subscription Connection::subscribe(EventListener& listener) {
  return Subscription(core_->add(listener));
}

void Connection::fail_session(const SessionId& session, const Error& reason) {
  core_->fail_session(session, reason);
}

bool Connection::is_open() const { return core_->is_open(); }
std::size_t Connection::pending_calls() const { return core_->pending_calls(); }

void Connection::close() {
  core_->end(Error(ErrorCode::kBrowserGone, "the connection to Chromium was closed"));
}

}  // namespace agentlock::cdp
