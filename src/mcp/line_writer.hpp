#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/signal.hpp"
#include "base/task.hpp"
#include "mcp/session.hpp"

namespace agentlock::mcp {

/// The one writer of a connection's output: messages queue up, and a coroutine of
/// its own writes each as one line. A reader that is slow, or never reads, stops
/// nobody else.
class LineWriter final : public MessageSink {
 public:
  /// A queue of this size is full: whoever makes work for it should stop until it
  /// isn't. Calls that run already may still add to it, each at most one message.
  static constexpr std::size_t kFullBytes = 1024UL * 1024;

  /// Takes over the descriptor of anything that can be written to. If it can't be
  /// used (-1), the output is gone from the start.
  LineWriter(Executor executor, int descriptor);
  ~LineWriter() override;
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  void send(std::string message) override;

  bool is_empty() const;
  bool is_full() const;
  /// Nobody can read any more, or close() was called: what is sent is thrown away.
  bool is_gone() const;
  /// Told whenever one of the three may have changed.
  Signal& changed();
  /// Closes the descriptor; what was not written is lost.
  void close();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace agentlock::mcp
