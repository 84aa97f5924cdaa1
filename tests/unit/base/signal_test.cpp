#include "base/signal.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace agentlock {
namespace {

/// One wait: how it ended, if it has.
struct Wait {
  std::optional<bool> result;
  std::exception_ptr failure;
  asio::cancellation_signal cancel;
  bool ended() const { return result.has_value() || failure != nullptr; }
};

struct World {
  asio::io_context io;
  Signal signal{io.get_executor()};

  std::shared_ptr<Wait> wait(std::function<bool()> condition, Deadline deadline = after(1h)) {
    auto wait = std::make_shared<Wait>();
    asio::co_spawn(io, signal.until(std::move(condition), deadline),
                   asio::bind_cancellation_slot(wait->cancel.slot(),
                                                [wait](std::exception_ptr failure, bool held) {
                                                  wait->failure = std::move(failure);
                                                  if (!wait->failure) wait->result = held;
                                                }));
    settle();
    return wait;
  }
  /// Runs what can run without a timer.
  void settle() {
    io.restart();
    while (io.poll() > 0) {
    }
  }
  void notify() {
    signal.notify();
    settle();
  }
};

TEST_CASE("a condition that already holds is not waited for", "[unit]") {
  World w;
  CHECK(w.wait([] { return true; })->result == true);
  // Not even where the deadline is over.
  CHECK(w.wait([] { return true; }, after(-1h))->result == true);
}

TEST_CASE("a wait ends when it is notified of what it waits for", "[unit]") {
  World w;
  bool ready = false;
  const auto wait = w.wait([&] { return ready; });
  CHECK_FALSE(wait->ended());
  ready = true;
  w.settle();
  CHECK_FALSE(wait->ended());  // nobody said so yet
  w.notify();
  CHECK(wait->result == true);
}

TEST_CASE("a notification of something else changes nothing", "[unit]") {
  World w;
  int looks = 0;
  const auto wait = w.wait([&] { return ++looks > 3; });
  w.notify();
  w.notify();
  CHECK_FALSE(wait->ended());
  w.notify();
  CHECK(wait->result == true);
}

TEST_CASE("a wait for what never comes ends at its deadline", "[unit]") {
  World w;
  CHECK(w.wait([] { return false; }, after(-1ms))->result == false);
  const auto wait = w.wait([] { return false; }, after(5ms));
  w.io.restart();
  w.io.run();
  CHECK(wait->result == false);
}

TEST_CASE("what holds at the deadline counts, also where nobody notified", "[unit]") {
  World w;
  bool ready = false;
  const auto wait = w.wait([&] { return ready; }, after(5ms));
  ready = true;
  w.io.restart();
  w.io.run();
  CHECK(wait->result == true);
}

TEST_CASE("a cancelled wait ends and leaves the others alone", "[unit]") {
  World w;
  bool ready = false;
  const auto cancelled = w.wait([&] { return ready; });
  const auto other = w.wait([&] { return ready; });
  cancelled->cancel.emit(asio::cancellation_type::terminal);
  w.settle();
  CHECK(cancelled->failure != nullptr);
  CHECK_FALSE(other->ended());
  w.notify();
  ready = true;
  w.notify();
  CHECK(other->result == true);
}

TEST_CASE("each of several waits ends by its own condition", "[unit]") {
  World w;
  int stage = 0;
  std::vector<std::shared_ptr<Wait>> waits;
  for (int i = 1; i <= 3; ++i) waits.push_back(w.wait([&stage, i] { return stage >= i; }));
  for (int i = 1; i <= 3; ++i) {
    stage = i;
    w.notify();
    for (int k = 1; k <= 3; ++k) CHECK(waits[static_cast<std::size_t>(k - 1)]->ended() == (k <= i));
  }
}

TEST_CASE("what one wait does when it ends can end the next", "[unit]") {
  World w;
  int stage = 0;
  const auto last = w.wait([&] { return stage == 2; });
  const auto first = w.wait([&] {
    if (stage != 1) return false;
    stage = 2;
    w.signal.notify();  // from inside of a wait
    return true;
  });
  stage = 1;
  w.notify();
  CHECK(first->result == true);
  CHECK(last->result == true);
}

}  // namespace
}  // namespace agentlock
