#include "base/task.hpp"

#include <stdexcept>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include "unit/base/captured_stderr.hpp"

namespace asio = boost::asio;

namespace agentlock {
namespace {

Task<void> throws_error() {
  throw std::runtime_error("boom\n");
  co_return;
}

Task<void> throws_number() {
  throw 5;
  co_return;
}

Task<void> works(bool& done) {
  done = true;
  co_return;
}

TEST_CASE("what a coroutine throws is logged by the coroutine's name, and the rest runs on",
          "[unit]") {
  test::CapturedStderr captured;
  asio::io_context io;
  bool done = false;
  asio::co_spawn(io, throws_error(), LogFailure{"the reader"});
  asio::co_spawn(io, works(done), LogFailure{"the writer"});
  io.run();
  CHECK(done);
  CHECK(captured.take() ==
        "agentlock-browser: error: the reader ended by an exception: boom\\x0a\n");
}

TEST_CASE("what a coroutine throws is logged also where it is no std::exception", "[unit]") {
  test::CapturedStderr captured;
  asio::io_context io;
  asio::co_spawn(io, throws_number(), LogFailure{"the reader"});
  io.run();
  CHECK(captured.take().find("the reader ended by an exception of an unknown type") !=
        std::string::npos);
}

TEST_CASE("a coroutine that ends well is not logged", "[unit]") {
  test::CapturedStderr captured;
  asio::io_context io;
  bool done = false;
  asio::co_spawn(io, works(done), LogFailure{"the writer"});
  io.run();
  CHECK(captured.take() == "");
}

}  // namespace
}  // namespace agentlock
