#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/task.hpp"
#include "mcp/standard_streams.hpp"

namespace agentlock::mcp {

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  static Pipe open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    return {ends[0], ends[1]};
  }
};

/// The client's ends of the two pipes of a stdio server.
class PipeClient {
 public:
  explicit PipeClient(Executor executor) : to_server_(executor), from_server_(executor) {
    const Pipe input = Pipe::open();
    const Pipe output = Pipe::open();
    to_server_.assign(input.write_end);
    from_server_.assign(output.read_end);
    streams_ = {input.read_end, output.write_end};
  }

  /// For the server, which takes them over.
  StandardStreams streams() const { return streams_; }

  Task<void> send(std::string bytes) {
    co_await boost::asio::async_write(to_server_, boost::asio::buffer(bytes),
                                      boost::asio::use_awaitable);
  }

  /// Completes when the server has read all that was sent.
  Task<void> until_read() {
    int waiting = 1;
    while (ioctl(to_server_.native_handle(), FIONREAD, &waiting) == 0 && waiting > 0) {
      co_await boost::asio::post(to_server_.get_executor(), boost::asio::use_awaitable);
    }
  }

  /// The next line, or nothing when the server closed its end.
  Task<std::optional<std::string>> receive() {
    std::size_t searched = 0;
    while (true) {
      if (const auto end = received_.find('\n', searched); end != std::string::npos) {
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        co_return line;
      }
      searched = received_.size();
      std::string piece(64UL * 1024, '\0');
      const auto [failed, size] = co_await from_server_.async_read_some(
          boost::asio::buffer(piece), boost::asio::as_tuple(boost::asio::use_awaitable));
      if (failed) co_return std::nullopt;
      received_.append(piece, 0, size);
    }
  }

  void close_input() { to_server_.close(); }
  void close_output() { from_server_.close(); }

 private:
  boost::asio::posix::stream_descriptor to_server_;
  boost::asio::posix::stream_descriptor from_server_;
  StandardStreams streams_;
  std::string received_;
};

}  // namespace agentlock::mcp
