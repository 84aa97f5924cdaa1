#pragma once

#include <memory>

#include "base/task.hpp"
#include "mcp/server_info.hpp"
#include "mcp/standard_streams.hpp"

namespace agentlock::tools {
class ToolTable;
}

namespace agentlock::mcp {

/// An MCP server for the client at the other end of two descriptors (MCP,
/// "Transports: stdio"), which may be pipes, sockets, files, terminals or closed.
class StdioServer {
 public:
  /// Takes over both descriptors. The table must outlive the server.
  StdioServer(Executor executor, tools::ToolTable& tools, ServerInfo info, StandardStreams streams);
  ~StdioServer();
  StdioServer(const StdioServer&) = delete;
  StdioServer& operator=(const StdioServer&) = delete;

  /// Serves until the input ends, the output can't be read any more, or stop() was
  /// called, and then at most 1.5 s longer: when the input ends, all that was read
  /// is still done, calls have 1 s to end, and what is left of the time is for
  /// writing the answers. A call that had to be stopped is answered with an error.
  /// To be awaited once; the server must outlive it.
  Task<void> run();

  /// Ends it like the end of the input does, but calls are stopped at once, and all
  /// is over half a second later at most.
  void stop();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace agentlock::mcp
