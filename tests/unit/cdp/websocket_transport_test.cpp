#include <catch2/catch.hpp>

#include "cdp/transport.hpp"

namespace agentlock::cdp {

TEST_CASE("a debugging address is taken apart", "[unit]") {
  const auto v4 = parse_websocket_url("ws://127.0.0.1:9222/devtools/browser/ab-cd");
  REQUIRE(v4);
  CHECK(v4->host == "127.0.0.1");
  CHECK(v4->port == 9222);
  CHECK(v4->path == "/devtools/browser/ab-cd");
  const auto v6 = parse_websocket_url("ws://[::1]:1/x");
  REQUIRE(v6);
  CHECK(v6->host == "::1");
}

TEST_CASE("only a literal loopback address is a debugging address", "[unit]") {
  for (const char* url :
       {"", "ws://", "ws://127.0.0.1", "ws://127.0.0.1:1", "ws://127.0.0.1/x", "ws://:1/x",
        "ws://127.0.0.1:0/x", "ws://127.0.0.1:65536/x", "ws://127.0.0.1:1a/x", "ws://localhost:1/x",
        "ws://10.0.0.1:1/x", "ws://127.0.0.1@evil.test:1/x", "wss://127.0.0.1:1/x",
        "http://127.0.0.1:1/x", "ws://0.0.0.0:1/x", "ws://127.0.0.1:1/x\r\nHost: y"}) {
    INFO(url);
    CHECK_FALSE(parse_websocket_url(url));
  }
}

}  // namespace agentlock::cdp
