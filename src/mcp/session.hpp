#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/task.hpp"
#include "mcp/server_info.hpp"

namespace agentlock::tools {
class ToolTable;
}

namespace agentlock::mcp {

/// Where a session's messages go, whatever carries them.
class MessageSink {
 public:
  virtual ~MessageSink() = default;
  /// Takes one message: a line without its line feed. Never waits.
  virtual void send(std::string message) = 0;
};

/// The conversation with one client: messages in, messages out, no transport.
/// Both eras of MCP are served side by side, decided by each request. Everything
/// runs on the executor's one thread.
class Session {
 public:
  /// Calls that may run at the same time; one more is answered with an error.
  static constexpr std::size_t kMaxCalls = 64;
  /// No message is longer, in either direction (tools.md, "The client's side").
  static constexpr std::size_t kMaxMessageBytes = 8UL * 1024 * 1024;

  /// The table and the sink must outlive the session.
  Session(Executor executor, tools::ToolTable& tools, ServerInfo info, MessageSink& sink);
  /// Stops the calls that still run, without an answer.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// One message, or one batch, of the client. What can be answered at once is
  /// answered before this returns; a call of a tool goes on by itself.
  void receive(std::string message);

  /// Says that a message longer than kMaxMessageBytes was thrown away.
  void refuse_oversized();

  /// Waits until no call runs, or the deadline.
  Task<void> wait_for_calls(Deadline deadline);

  /// Stops the calls that still run and answers each with an error, so that no
  /// request stays without an answer.
  void stop_calls();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace agentlock::mcp
