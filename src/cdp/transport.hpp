#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "agentlock/result.hpp"
#include "base/task.hpp"

namespace agentlock::cdp {

/// Carries whole messages to and from Chromium. One read and one write may be
/// under way at a time; they may overlap each other.
class Transport {
 public:
  virtual ~Transport() = default;
  /// The next message's text; kBrowserGone once the other side is gone.
  virtual Task<Result<std::string>> read() = 0;
  virtual Task<Result<void>> write(std::string message) = 0;
  /// Ends both directions at once; what waits in read and write fails. Can be
  /// called again.
  virtual void close() = 0;
};

/// Where a browser listens for CDP over WebSocket.
struct WebSocketAddress {
  std::string host;  ///< a literal loopback address, IPv6 without brackets
  std::uint16_t port = 0;
  std::string path;  ///< from the first slash on
};

/// Takes `ws://127.0.0.1:<port>/devtools/browser/<id>` apart. Refuses what is not
/// a literal loopback address, as the debugging port is a door to everything.
Result<WebSocketAddress> parse_websocket_url(std::string_view url);

Task<Result<std::unique_ptr<Transport>>> connect_websocket(Executor executor,
                                                           WebSocketAddress address,
                                                           Deadline deadline);

}  // namespace agentlock::cdp
