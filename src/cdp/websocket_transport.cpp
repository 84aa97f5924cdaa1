#include <charconv>
#include <chrono>
#include <string>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "cdp/transport.hpp"

// CDP over the WebSocket of a browser's debugging port. The address is a literal
// loopback address, so no name is ever looked up. The one file that names Beast:
// it takes seconds to compile.

namespace agentlock::cdp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

// Beast's own bound of 16 MiB would end the connection on a large reply, and none
// would let a page fill our memory.
constexpr std::size_t kMaxMessage = std::size_t{256} << 20;
// After a large message the buffer is given back.
constexpr std::size_t kMaxKeptBuffer = std::size_t{1} << 20;

Error gone(std::string doing, const boost::system::error_code& failure) {
  return Error(ErrorCode::kBrowserGone, std::move(doing) + ": " + failure.message());
}

class WebSocketTransport final : public Transport {
 public:
  explicit WebSocketTransport(Executor executor) : stream_(std::move(executor)) {}

  Task<Result<void>> open(WebSocketAddress address, Deadline deadline) {
    boost::system::error_code no_address;
    const auto ip = asio::ip::make_address(address.host, no_address);
    if (no_address) {
      co_return fail(ErrorCode::kInvalidArgument, "not an IP address: " + address.host);
    }
    const asio::ip::tcp::endpoint endpoint(ip, address.port);
    auto& tcp = beast::get_lowest_layer(stream_);
    tcp.expires_at(deadline);
    const auto [not_connected] =
        co_await tcp.async_connect(endpoint, asio::as_tuple(asio::use_awaitable));
    if (not_connected) co_return failed_to_open(not_connected);
    boost::system::error_code ignored;
    tcp.socket().set_option(asio::ip::tcp::no_delay(true), ignored);

    stream_.read_message_max(kMaxMessage);
    // No compression: both ends are on this machine.
    const std::string host =
        (ip.is_v6() ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
    const auto [no_handshake] =
        co_await stream_.async_handshake(host, address.path, asio::as_tuple(asio::use_awaitable));
    if (no_handshake) co_return failed_to_open(no_handshake);
    // From here on each command has its own deadline.
    tcp.expires_never();
    stream_.text(true);
    co_return Result<void>();
  }

  Task<Result<std::string>> read() override {
    const auto [failure, size] =
        co_await stream_.async_read(incoming_, asio::as_tuple(asio::use_awaitable));
    if (failure) co_return tl::unexpected(gone("reading from Chromium", failure));
    const auto data = incoming_.cdata();
    std::string text(static_cast<const char*>(data.data()), data.size());
    incoming_.consume(size);
    if (incoming_.capacity() > kMaxKeptBuffer) incoming_.shrink_to_fit();
    co_return text;
  }

  Task<Result<void>> write(std::string message) override {
    const asio::const_buffer bytes = asio::buffer(message);
    const auto [failure, size] =
        co_await stream_.async_write(bytes, asio::as_tuple(asio::use_awaitable));
    if (failure) co_return tl::unexpected(gone("writing to Chromium", failure));
    co_return Result<void>();
  }

  // No closing handshake: the other end is our browser and is about to be killed,
  // or it is gone.
  void close() override { beast::get_lowest_layer(stream_).close(); }

 private:
  static tl::unexpected<Error> failed_to_open(const boost::system::error_code& failure) {
    if (failure == beast::error::timeout) {
      return fail(ErrorCode::kTimeout, "Chromium's debugging port did not answer in time");
    }
    if (failure == asio::error::operation_aborted) {
      return fail(ErrorCode::kCancelled, "connecting to Chromium was cancelled");
    }
    return tl::unexpected(gone("connecting to Chromium's debugging port", failure));
  }

  websocket::stream<beast::tcp_stream, false> stream_;
  beast::flat_buffer incoming_;
};

}  // namespace

Result<WebSocketAddress> parse_websocket_url(std::string_view url) {
  const auto refuse = [&url](std::string_view why) {
    return fail(ErrorCode::kInvalidArgument, "not a debugging address, " + std::string(why) + ": " +
                                                 std::string(url.substr(0, 200)));
  };
  constexpr std::string_view kScheme = "ws://";
  if (!url.starts_with(kScheme)) return refuse("it does not begin with ws://");
  const std::string_view rest = url.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return refuse("it has no path");
  const std::string_view authority = rest.substr(0, slash);
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos) return refuse("it has no port");
  std::string_view host = authority.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  const std::string_view digits = authority.substr(colon + 1);
  WebSocketAddress address{std::string(host), 0, std::string(rest.substr(slash))};
  const auto port = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  if (port.ec != std::errc() || port.ptr != digits.data() + digits.size() || address.port == 0) {
    return refuse("its port is no number");
  }
  boost::system::error_code failure;
  const auto ip = asio::ip::make_address(address.host, failure);
  if (failure || !ip.is_loopback()) return refuse("its host is no literal loopback address");
  for (const char c : address.path) {
    if (c <= ' ' || c > '~') return refuse("its path holds a character that no URL has");
  }
  return address;
}

Task<Result<std::unique_ptr<Transport>>> connect_websocket(Executor executor,
                                                           WebSocketAddress address,
                                                           Deadline deadline) {
  auto transport = std::make_unique<WebSocketTransport>(std::move(executor));
  const auto opened = co_await transport->open(std::move(address), deadline);
  if (!opened) co_return tl::unexpected(opened.error());
  co_return std::unique_ptr<Transport>(std::move(transport));
}

}  // namespace agentlock::cdp
