#include "tools/turn.hpp"

#include <exception>
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

namespace agentlock::tools {
namespace {

struct Taker {
  std::optional<Turns::Turn> turn;
  bool ended = false;
  asio::cancellation_signal cancel;
};

Task<void> take(Turns& turns, std::shared_ptr<Taker> taker, Deadline deadline) {
  auto turn = co_await turns.take(deadline);
  if (turn) taker->turn.emplace(std::move(*turn));
}

struct World {
  ~World() {
    for (const auto& one : takers) {
      one->cancel.emit(asio::cancellation_type::terminal);
      one->turn.reset();
    }
    settle();
  }

  asio::io_context io;
  Turns turns{io.get_executor()};
  std::vector<std::shared_ptr<Taker>> takers;

  std::shared_ptr<Taker> taker(Deadline deadline = after(1h)) {
    const auto one = takers.emplace_back(std::make_shared<Taker>());
    asio::co_spawn(io, take(turns, one, deadline),
                   asio::bind_cancellation_slot(one->cancel.slot(),
                                                [one](std::exception_ptr) { one->ended = true; }));
    settle();
    return one;
  }
  void settle() {
    io.restart();
    while (io.poll() > 0) {
    }
  }
  void leave(Taker& one) {
    one.turn.reset();
    settle();
  }
};

TEST_CASE("calls have the tab one after the other, in the order in which they came", "[unit]") {
  World w;
  const auto first = w.taker();
  const auto second = w.taker();
  const auto third = w.taker();
  CHECK(first->turn);
  CHECK_FALSE(second->turn);
  w.leave(*first);
  CHECK(second->turn);
  CHECK_FALSE(third->turn);
  w.leave(*second);
  CHECK(third->turn);
}

TEST_CASE("a call that is cancelled while it waits leaves the line", "[unit]") {
  World w;
  const auto first = w.taker();
  const auto second = w.taker();
  const auto third = w.taker();
  second->cancel.emit(asio::cancellation_type::terminal);
  w.settle();
  CHECK(second->ended);
  CHECK_FALSE(second->turn);
  CHECK_FALSE(third->turn);
  w.leave(*first);
  CHECK(third->turn);
}

TEST_CASE("a call that waited too long has no turn and stands in nobody's way", "[unit]") {
  World w;
  const auto first = w.taker();
  const auto late = w.taker(after(-1ms));
  CHECK(late->ended);
  CHECK_FALSE(late->turn);
  const auto third = w.taker();
  w.leave(*first);
  CHECK(third->turn);
}

TEST_CASE("a turn that is handed on is left once", "[unit]") {
  World w;
  const auto first = w.taker();
  const auto second = w.taker();
  const auto third = w.taker();
  {
    const Turns::Turn moved = std::move(*first->turn);
    w.leave(*first);  // an empty shell
    CHECK_FALSE(second->turn);
  }
  w.settle();
  CHECK(second->turn);
  CHECK_FALSE(third->turn);
}

}  // namespace
}  // namespace agentlock::tools
