#include "mcp/session.hpp"

#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include "unit/mcp/model_tools.hpp"

namespace agentlock::mcp {
namespace {

class RecordingSink final : public MessageSink {
 public:
  void send(std::string message) override { messages.push_back(Json::parse(message)); }

  std::vector<Json> messages;
};

struct Conversation {
  boost::asio::io_context loop;
  ModelTools tools{loop.get_executor()};
  RecordingSink sink;
  std::unique_ptr<Session> session =
      std::make_unique<Session>(loop.get_executor(), tools, ServerInfo{"model", "1.2.3"}, sink);

  // Ends what still runs, so that nothing outlives the tools.
  ~Conversation() {
    session.reset();
    settle();
  }

  void settle() {
    loop.restart();
    loop.poll();
  }

  void open() {
    session->receive(R"({"jsonrpc":"2.0","id":"open","method":"initialize",)"
                     R"("params":{"protocolVersion":"2025-11-25","capabilities":{}}})");
    sink.messages.clear();
  }

  void call_wait(int id) {
    Json request = {{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}};
    request["params"] = {{"name", "wait"}, {"arguments", {{"key", std::to_string(id)}}}};
    session->receive(request.dump());
  }

  void cancel(int id) {
    Json notification = {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}};
    notification["params"] = {{"requestId", id}};
    session->receive(notification.dump());
  }
};

TEST_CASE("a call that is cancelled before its first turn never reaches its tool", "[unit]") {
  Conversation with;
  with.open();
  // The loop does not run yet, so the call can't begin.
  with.call_wait(1);
  with.cancel(1);
  with.settle();
  CHECK_FALSE(with.tools.has_happened("started 1"));
  CHECK(with.sink.messages.empty());
}

TEST_CASE("the sixty-fifth call at a time is refused, and the others go on", "[unit]") {
  Conversation with;
  with.open();
  constexpr int kMost = static_cast<int>(Session::kMaxCalls);
  for (int id = 1; id <= kMost; ++id) with.call_wait(id);
  with.settle();
  REQUIRE(with.tools.running() == Session::kMaxCalls);
  REQUIRE(with.sink.messages.empty());

  with.call_wait(kMost + 1);
  REQUIRE(with.sink.messages.size() == 1);
  CHECK(with.sink.messages[0]["id"] == kMost + 1);
  CHECK(with.sink.messages[0]["error"]["code"] == -32603);

  SECTION("a cancelled call takes its place until it has really ended") {
    with.cancel(1);
    with.call_wait(kMost + 2);
    CHECK(with.sink.messages.size() == 2);
    with.settle();
    with.call_wait(kMost + 3);
    with.settle();
    CHECK(with.sink.messages.size() == 2);
    CHECK(with.tools.running() == Session::kMaxCalls);
  }
  SECTION("an answered call makes room") {
    with.tools.release("1");
    with.settle();
    CHECK(with.sink.messages.back()["id"] == 1);
    with.call_wait(kMost + 2);
    with.settle();
    CHECK(with.tools.has_happened("started " + std::to_string(kMost + 2)));
  }
}

TEST_CASE("a session that goes away stops its calls and sends nothing more", "[unit]") {
  Conversation with;
  with.open();
  with.call_wait(1);
  with.settle();
  REQUIRE(with.tools.running() == 1);
  with.session.reset();
  with.settle();
  CHECK(with.tools.has_happened("cancelled 1"));
  CHECK(with.sink.messages.empty());
}

TEST_CASE("every call that is stopped is answered once", "[unit]") {
  Conversation with;
  with.open();
  with.call_wait(1);
  with.call_wait(2);
  with.settle();
  with.cancel(2);
  with.session->stop_calls();
  with.session->stop_calls();
  with.settle();
  REQUIRE(with.sink.messages.size() == 1);
  CHECK(with.sink.messages[0]["id"] == 1);
  CHECK(with.sink.messages[0]["result"]["isError"] == true);
  CHECK(with.tools.running() == 0);
}

}  // namespace
}  // namespace agentlock::mcp
