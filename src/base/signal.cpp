#include "base/signal.hpp"

#include <list>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace agentlock {
namespace asio = boost::asio;

struct Signal::Waits {
  std::list<asio::steady_timer> timers;
};

Signal::Signal(Executor executor)
    : executor_(std::move(executor)), waits_(std::make_unique<Waits>()) {}

Signal::~Signal() = default;

void Signal::notify() {
  for (asio::steady_timer& timer : waits_->timers) timer.cancel();
}

Task<bool> Signal::until(std::function<bool()> condition, Deadline deadline) {
  const auto timer = waits_->timers.emplace(waits_->timers.end(), executor_);
  struct Leave {
    Waits& waits;
    std::list<asio::steady_timer>::iterator timer;
    ~Leave() { waits.timers.erase(timer); }
  };
  const Leave leave{*waits_, timer};
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) co_return false;
    timer->expires_at(deadline);
    // After a cancellation of the coroutine itself the next co_await throws.
    co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
  }
  co_return true;
}

}  // namespace agentlock
