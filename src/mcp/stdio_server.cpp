#include "mcp/stdio_server.hpp"

// One reader and one writer. The reader takes what the descriptor gives, cuts it
// into lines and hands each to the session, which answers at once or starts a
// call. Answers go into the writer's queue. So a slow call never stops the
// reading, and a client that does not read never stops a call.
//
// A client that writes without reading is stopped by the only means that a pipe
// has: while the queue is full nothing more is read. Memory is bounded by one line
// in, the full queue, and one answer for each call that already runs.
//
// How it ends. Clients that close our input want us gone and wait for two seconds
// before they send signals; a person who pipes a file of requests into us wants
// the answers. Both are served: after the end of the input, what was read is done,
// and calls may run on for kCallGrace before they are stopped. All of it is over
// after kWriteGrace, which leaves the caller time to put other things away. While
// the queue is full the end of the input can't be read, but a pipe tells that its
// writer is gone; from then on the same clock runs.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <unistd.h>

#include "base/signal.hpp"
#include "mcp/line_splitter.hpp"
#include "mcp/line_writer.hpp"
#include "mcp/session.hpp"

namespace agentlock::mcp {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr std::size_t kPieceBytes = 64UL * 1024;

// All counted from the moment the end was seen.
constexpr auto kCallGrace = 1000ms;
constexpr auto kStopGrace = 1250ms;
constexpr auto kWriteGrace = 1500ms;

}  // namespace

class StdioServer::State : public std::enable_shared_from_this<State> {
 public:
  State(const Executor& executor, tools::ToolTable& tools, ServerInfo info, StandardStreams streams)
      : input_(executor),
        output_(executor, streams.output),
        kept_input_(std::in_place, streams.input),
        kept_output_(std::in_place, streams.output),
        session_(executor, tools, std::move(info), output_),
        splitter_(Session::kMaxMessageBytes) {
    boost::system::error_code refused;
    input_.assign(streams.input, refused);
    if (refused && streams.input >= 0) ::close(streams.input);
    reading_ = !refused;
  }

  Task<void> run() {
    const auto executor = input_.get_executor();
    asio::co_spawn(executor, watch_input(shared_from_this()), LogFailure{"watching the input"});
    asio::co_spawn(executor, watch_output(shared_from_this()), LogFailure{"watching the output"});
    co_await read_all();
    see_end();
    co_await session_.wait_for_calls(*ended_ + kCallGrace);
    session_.stop_calls();
    co_await session_.wait_for_calls(*ended_ + kStopGrace);
    co_await output_.changed().until([&] { return output_.is_empty() || output_.is_gone(); },
                                     *ended_ + kWriteGrace);
    close();
  }

  void stop() {
    see_end();
    // The calls' share of the time is over.
    ended_ = std::min(*ended_, std::chrono::steady_clock::now() - kCallGrace);
    stop_reading();
    session_.stop_calls();
  }

  void close() {
    stop_reading();
    kept_input_.reset();
    kept_output_.reset();
    boost::system::error_code ignored;
    input_.close(ignored);
    output_.close();
  }

 private:
  Task<void> read_all() {
    std::string piece(kPieceBytes, '\0');
    while (reading_) {
      const auto [failed, size] =
          co_await input_.async_read_some(asio::buffer(piece), asio::as_tuple(asio::use_awaitable));
      if (!reading_) break;
      if (failed) {
        if (const auto line = splitter_.rest()) session_.receive(line->text);
        break;
      }
      splitter_.push(std::string_view(piece).substr(0, size));
      while (auto line = splitter_.next()) {
        if (line->oversized) {
          session_.refuse_oversized();
        } else {
          session_.receive(std::move(line->text));
        }
        co_await output_.changed().until([&] { return !output_.is_full() || !reading_; },
                                         Deadline::max());
        if (!reading_) break;
      }
    }
    stop_reading();
  }

  void stop_reading() {
    reading_ = false;
    boost::system::error_code ignored;
    input_.cancel(ignored);
    output_.changed().notify();
  }

  void see_end() {
    if (!ended_) ended_ = std::chrono::steady_clock::now();
  }

  // Sees that the writer of the input is gone, also while nothing is read.
  static Task<void> watch_input(std::shared_ptr<State> state) {
    const auto [failed] = co_await state->input_.async_wait(
        asio::posix::descriptor_base::wait_error, asio::as_tuple(asio::use_awaitable));
    if (failed || !state->reading_) co_return;
    state->see_end();
    co_await state->output_.changed().until([&] { return !state->reading_; },
                                            *state->ended_ + kCallGrace);
    state->stop_reading();
  }

  static Task<void> watch_output(std::shared_ptr<State> state) {
    co_await state->output_.changed().until([&] { return state->output_.is_gone(); },
                                            Deadline::max());
    state->stop();
  }

  asio::posix::stream_descriptor input_;
  LineWriter output_;
  // Two descriptors may share one set of flags (a terminal, a socket), so that these
  // are given back when neither is used any more, and before either is closed.
  std::optional<KeptFlags> kept_input_;
  std::optional<KeptFlags> kept_output_;
  Session session_;
  LineSplitter splitter_;
  bool reading_ = false;
  std::optional<Deadline> ended_;
};

StdioServer::StdioServer(Executor executor, tools::ToolTable& tools, ServerInfo info,
                         StandardStreams streams)
    : state_(std::make_shared<State>(executor, tools, std::move(info), streams)) {}

StdioServer::~StdioServer() { state_->close(); }

Task<void> StdioServer::run() { return state_->run(); }

void StdioServer::stop() { state_->stop(); }

}  // namespace agentlock::mcp
