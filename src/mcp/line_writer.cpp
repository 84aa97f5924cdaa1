#include "mcp/line_writer.hpp"

#include <deque>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <poll.h>
#include <unistd.h>

namespace agentlock::mcp {

namespace asio = boost::asio;

class LineWriter::State : public std::enable_shared_from_this<State> {
 public:
  State(Executor executor, int descriptor) : output_(executor), changed_(executor) {
    boost::system::error_code refused;
    output_.assign(descriptor, refused);
    if (refused && descriptor >= 0) ::close(descriptor);
    gone_ = static_cast<bool>(refused);
  }

  void start() {
    if (gone_) return;
    asio::co_spawn(output_.get_executor(), write_all(shared_from_this()),
                   LogFailure{"writing to the client"});
    asio::co_spawn(output_.get_executor(), watch(shared_from_this()),
                   LogFailure{"watching the client"});
  }

  void send(std::string message) {
    if (gone_) return;
    message += '\n';
    bytes_ += message.size();
    queue_.push_back(std::move(message));
    changed_.notify();
  }

  void lose() {
    if (gone_) return;
    gone_ = true;
    boost::system::error_code ignored;
    output_.cancel(ignored);
    changed_.notify();
  }

  void close() {
    lose();
    boost::system::error_code ignored;
    output_.close(ignored);
  }

  bool is_empty() const { return queue_.empty(); }
  bool is_full() const { return bytes_ >= kFullBytes; }
  bool is_gone() const { return gone_; }
  Signal& changed() { return changed_; }

 private:
  static Task<void> write_all(std::shared_ptr<State> state) {
    while (true) {
      co_await state->changed_.until([&] { return state->gone_ || !state->queue_.empty(); },
                                     Deadline::max());
      if (state->gone_) co_return;
      const auto [failed, written] = co_await asio::async_write(
          state->output_, asio::buffer(state->queue_.front()), asio::as_tuple(asio::use_awaitable));
      if (failed) {
        state->lose();
        co_return;
      }
      state->bytes_ -= state->queue_.front().size();
      state->queue_.pop_front();
      state->changed_.notify();
    }
  }

  // A reader that went away shows at the next write, which may never come. Pipes,
  // sockets and terminals tell at once; files can't lose their reader, and can't
  // be waited for.
  static Task<void> watch(std::shared_ptr<State> state) {
    const auto [failed] = co_await state->output_.async_wait(
        asio::posix::descriptor_base::wait_error, asio::as_tuple(asio::use_awaitable));
    if (failed) co_return;
    pollfd ended{state->output_.native_handle(), 0, 0};
    if (poll(&ended, 1, 0) == 1) state->lose();
  }

  asio::posix::stream_descriptor output_;
  Signal changed_;
  // The front is being written.
  std::deque<std::string> queue_;
  std::size_t bytes_ = 0;
  bool gone_ = false;
};

LineWriter::LineWriter(Executor executor, int descriptor)
    : state_(std::make_shared<State>(std::move(executor), descriptor)) {
  state_->start();
}

LineWriter::~LineWriter() { close(); }

void LineWriter::send(std::string message) { state_->send(std::move(message)); }
bool LineWriter::is_empty() const { return state_->is_empty(); }
bool LineWriter::is_full() const { return state_->is_full(); }
bool LineWriter::is_gone() const { return state_->is_gone(); }
Signal& LineWriter::changed() { return state_->changed(); }
void LineWriter::close() { state_->close(); }

}  // namespace agentlock::mcp
