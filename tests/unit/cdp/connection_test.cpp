#include "cdp/connection.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cdp/protocol.hpp"
#include "model_transport.hpp"

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace agentlock::cdp {
namespace {

using test::ModelBrowser;
using test::ModelTransport;

// One event loop with a connection to a model browser. The calls that a test
// starts leave their results here.
struct World {
  explicit World(ConnectionLimits limits = {}) {
    connection =
        Connection::open(io.get_executor(), std::make_unique<ModelTransport>(browser), limits);
  }
  ~World() {
    connection.reset();
    settle();
  }

  // Runs what can run without a timer or a message.
  void settle() {
    io.restart();
    while (io.poll() > 0) {
    }
  }

  std::shared_ptr<std::optional<Result<Json>>> call(SessionId session, std::string_view method,
                                                    Json params = Json::object(),
                                                    Deadline deadline = after(1h)) {
    auto slot = std::make_shared<std::optional<Result<Json>>>();
    asio::co_spawn(
        io,
        [](std::shared_ptr<Connection> to, SessionId in, std::string_view what, Json with,
           Deadline until, std::shared_ptr<std::optional<Result<Json>>> out) -> Task<void> {
          auto result = co_await to->call(in, what, with, until);
          out->emplace(std::move(result));
        }(connection, std::move(session), method, std::move(params), deadline, slot),
        asio::bind_cancellation_slot(cancels.emplace_back().slot(), LogFailure{"a call"}));
    settle();
    return slot;
  }

  // One for each call, in their order; they outlive the event loop.
  std::deque<asio::cancellation_signal> cancels;
  asio::io_context io;
  std::shared_ptr<ModelBrowser> browser = std::make_shared<ModelBrowser>(io.get_executor());
  std::shared_ptr<Connection> connection;
};

struct Recorder final : EventListener {
  void on_event(const Event& event) override {
    seen.push_back(event.session.value() + "/" + std::string(event.method) + to_line(event.params));
    if (then) then();
  }
  void on_closed(const Error& reason) override { closed.push_back(reason.code()); }
  std::vector<std::string> seen;
  std::vector<ErrorCode> closed;
  std::function<void()> then;
};

Json reply(std::int64_t id, Json result) { return {{"id", id}, {"result", std::move(result)}}; }

ErrorCode code_of(const std::shared_ptr<std::optional<Result<Json>>>& slot) {
  REQUIRE(slot->has_value());
  REQUIRE_FALSE(slot->value().has_value());
  return slot->value().error().code();
}

}  // namespace

TEST_CASE("a command leaves with an id, its session and its parameters", "[unit]") {
  World w;
  w.call(SessionId("S1"), kPageNavigate, {{"url", "http://a.test/"}});
  w.call(SessionId(), kBrowserGetVersion);
  REQUIRE(w.browser->sent.size() == 2);
  CHECK(w.browser->sent[0] == Json({{"id", 1},
                                    {"method", "Page.navigate"},
                                    {"params", {{"url", "http://a.test/"}}},
                                    {"sessionId", "S1"}}));
  CHECK(w.browser->sent[1] == Json({{"id", 2}, {"method", "Browser.getVersion"}}));
}

TEST_CASE("answers find their commands in any order", "[unit]") {
  World w;
  auto first = w.call(SessionId("S1"), kPageEnable);
  auto second = w.call(SessionId("S1"), kDOMGetDocument);
  w.browser->feed(reply(2, {{"root", 7}}));
  w.settle();
  CHECK_FALSE(first->has_value());
  REQUIRE(second->has_value());
  CHECK(second->value().value() == Json({{"root", 7}}));
  w.browser->feed(reply(1, Json::object()));
  w.settle();
  REQUIRE(first->has_value());
  CHECK(first->value().has_value());
  CHECK(w.connection->pending_calls() == 0);
}

TEST_CASE("a command that is not answered in time fails alone", "[unit]") {
  World w;
  auto late = w.call(SessionId("S1"), kRuntimeEvaluate, Json::object(), after(1ms));
  auto patient = w.call(SessionId("S1"), kPageEnable);
  while (!late->has_value()) w.io.run_one();
  CHECK(code_of(late) == ErrorCode::kTimeout);
  CHECK_FALSE(patient->has_value());
  // Its answer comes after all, and harms nobody.
  w.browser->feed(reply(1, Json::object()));
  w.browser->feed(reply(2, Json::object()));
  w.settle();
  CHECK(patient->value().has_value());
}

TEST_CASE("a command whose deadline has passed is not sent", "[unit]") {
  World w;
  auto late = w.call(SessionId("S1"), kInputInsertText, Json::object(), after(-1ms));
  CHECK(code_of(late) == ErrorCode::kTimeout);
  CHECK(w.browser->sent.empty());
}

TEST_CASE("a cancelled call ends at once and leaves nothing behind", "[unit]") {
  World w;
  auto slot = w.call(SessionId("S1"), kPageNavigate);
  CHECK(w.connection->pending_calls() == 1);
  w.cancels.back().emit(asio::cancellation_type::terminal);
  w.settle();
  CHECK(code_of(slot) == ErrorCode::kCancelled);
  CHECK(w.connection->pending_calls() == 0);
}

TEST_CASE("when the connection ends all waiting calls fail at once", "[unit]") {
  World w;
  Recorder recorder;
  const auto subscription = w.connection->subscribe(recorder);
  auto first = w.call(SessionId("S1"), kPageEnable);
  auto second = w.call(SessionId(), kTargetCreateTarget);
  w.browser->hang_up();
  w.settle();
  CHECK(code_of(first) == ErrorCode::kBrowserGone);
  CHECK(code_of(second) == ErrorCode::kBrowserGone);
  CHECK(recorder.closed == std::vector{ErrorCode::kBrowserGone});
  CHECK_FALSE(w.connection->is_open());
  CHECK(code_of(w.call(SessionId(), kBrowserClose)) == ErrorCode::kBrowserGone);
}

TEST_CASE("closing fails what waits and tells the listeners once", "[unit]") {
  World w;
  Recorder recorder;
  const auto subscription = w.connection->subscribe(recorder);
  auto slot = w.call(SessionId("S1"), kPageEnable);
  w.connection->close();
  w.connection->close();
  w.settle();
  CHECK(code_of(slot) == ErrorCode::kBrowserGone);
  CHECK(recorder.closed.size() == 1);
  CHECK(w.browser->closed);
}

TEST_CASE("a closed, crashed or replaced target fails its own calls and no others", "[unit]") {
  World w;
  w.browser->feed(Json{{"method", "Target.attachedToTarget"},
                       {"params", {{"sessionId", "S1"}, {"targetInfo", {{"targetId", "T1"}}}}}});
  auto other = w.call(SessionId("S2"), kPageEnable);
  auto slot = w.call(SessionId("S1"), kPageEnable);

  SECTION("detached") {
    w.browser->feed(
        Json{{"method", "Target.detachedFromTarget"}, {"params", {{"sessionId", "S1"}}}});
  }
  SECTION("crashed, told on its session") {
    w.browser->feed(Json{{"method", "Inspector.targetCrashed"}, {"sessionId", "S1"}});
  }
  SECTION("crashed, told on the browser session") {
    w.browser->feed(Json{{"method", "Target.targetCrashed"},
                         {"params", {{"targetId", "T1"}, {"status", "x"}}}});
  }
  SECTION("inspector detached") {
    w.browser->feed(Json{{"method", "Inspector.detached"},
                         {"params", {{"reason", "Render process gone."}}},
                         {"sessionId", "S1"}});
  }
  w.settle();
  CHECK(code_of(slot) == ErrorCode::kTargetGone);
  CHECK_FALSE(other->has_value());
  // A navigation revives a crashed target.
  auto again = w.call(SessionId("S1"), kPageNavigate);
  w.browser->feed(reply(3, Json::object()));
  w.settle();
  CHECK(again->value().has_value());
}

TEST_CASE("a page can't hide a message with a lone surrogate", "[unit]") {
  World w;
  Recorder recorder;
  const auto subscription = w.connection->subscribe(recorder);
  auto slot = w.call(SessionId("S1"), kRuntimeEvaluate);
  w.browser->feed_text(R"({"id":1,"result":{"value":"a\ud800b"},"sessionId":"S1"})");
  w.browser->feed_text(R"({"method":"Page.windowOpen","params":{"t":"\udc00"},"sessionId":"S1"})");
  w.settle();
  REQUIRE(slot->has_value());
  CHECK(slot->value().value() == Json({{"value",
                                        "a\xEF\xBF\xBD"
                                        "b"}}));
  CHECK(recorder.seen == std::vector<std::string>{"S1/Page.windowOpen{\"t\":\"\xEF\xBF\xBD\"}"});
}

TEST_CASE("an answer that is nested too deeply fails its call and nothing else", "[unit]") {
  World w;
  auto deep = w.call(SessionId("S1"), kRuntimeEvaluate);
  auto other = w.call(SessionId("S1"), kPageEnable);
  const std::string nest = std::string(5000, '[') + std::string(5000, ']');
  SECTION("the id comes first") {
    w.browser->feed_text(R"({"id":1,"result":{"value":)" + nest + "}}");
  }
  SECTION("the id comes last, after a string that poses as one") {
    w.browser->feed_text(R"({"result":{"value":")"
                         R"(\",\"id\":2,)"
                         R"(","n":)" +
                         nest + R"(},"id":1})");
  }
  w.settle();
  CHECK(code_of(deep) == ErrorCode::kLimit);
  CHECK_FALSE(other->has_value());
  CHECK(w.connection->is_open());
}

TEST_CASE("messages that make no sense are left out", "[unit]") {
  World w;
  Recorder recorder;
  const auto subscription = w.connection->subscribe(recorder);
  auto slot = w.call(SessionId("S1"), kPageEnable);
  for (const char* text : {"", "[", "null", "[]", "{}", "7", R"({"id":99,"result":{}})",
                           R"({"id":"1","result":{}})", R"({"method":7})", R"({"id":)"}) {
    w.browser->feed_text(text);
  }
  w.settle();
  CHECK_FALSE(slot->has_value());
  CHECK(recorder.seen.empty());
  w.browser->feed_text(R"({"id":1})");
  w.settle();
  CHECK(code_of(slot) == ErrorCode::kProtocol);
  CHECK(w.connection->is_open());
}

TEST_CASE("an error answer becomes an error with a code and our own sentence", "[unit]") {
  World w;
  auto slot = w.call(SessionId("S1"), kDOMFocus);
  w.browser->feed_text(R"({"id":1,"error":{"code":-32000,"message":"text of a page"}})");
  w.settle();
  CHECK(code_of(slot) == ErrorCode::kProtocol);
  CHECK(slot->value().error().describe().find("text of a page") == std::string::npos);
}

TEST_CASE("each event reaches every listener before the next one does", "[unit]") {
  World w;
  std::vector<std::string> order;
  Recorder a;
  Recorder b;
  a.then = [&] { order.push_back("a" + std::to_string(a.seen.size())); };
  b.then = [&] { order.push_back("b" + std::to_string(b.seen.size())); };
  const auto sa = w.connection->subscribe(a);
  const auto sb = w.connection->subscribe(b);
  w.browser->feed(Json{{"method", "Page.loadEventFired"}});
  w.browser->feed(Json{{"method", "Page.windowOpen"}});
  w.settle();
  CHECK(order == std::vector<std::string>{"a1", "b1", "a2", "b2"});
}

TEST_CASE("listeners come and go while an event is delivered", "[unit]") {
  World w;
  Recorder first;
  Recorder second;
  Recorder late;
  std::optional<Subscription> s1 = w.connection->subscribe(first);
  std::optional<Subscription> s2 = w.connection->subscribe(second);
  std::optional<Subscription> s3;
  first.then = [&] {
    s2.reset();
    s1.reset();
    s3 = w.connection->subscribe(late);
  };
  w.browser->feed(Json{{"method", "Page.windowOpen"}});
  w.settle();
  CHECK(first.seen.size() == 1);
  CHECK(second.seen.empty());
  CHECK(late.seen.empty());
  w.browser->feed(Json{{"method", "Page.windowOpen"}});
  w.settle();
  CHECK(first.seen.size() == 1);
  CHECK(late.seen.size() == 1);
}

TEST_CASE("a listener that throws stops neither the others nor the connection", "[unit]") {
  World w;
  Recorder bad;
  Recorder good;
  bad.then = [] { throw std::runtime_error("a fault of the listener"); };
  const auto sb = w.connection->subscribe(bad);
  const auto sg = w.connection->subscribe(good);
  w.browser->feed(Json{{"method", "Page.windowOpen"}});
  w.browser->feed(Json{{"method", "Page.windowOpen"}});
  w.settle();
  CHECK(good.seen.size() == 2);
  CHECK(w.connection->is_open());
}

TEST_CASE("a subscription may outlive the connection", "[unit]") {
  Recorder recorder;
  std::optional<Subscription> subscription;
  {
    World w;
    subscription = w.connection->subscribe(recorder);
  }
  subscription.reset();
  CHECK(recorder.closed.size() == 1);
}

TEST_CASE("a command without a waiter is answered to its function once", "[unit]") {
  ConnectionLimits limits;
  limits.post_timeout = 1ms;
  World w(limits);
  std::vector<std::string> results;
  const auto note = [&](const Result<Json>& result) {
    results.push_back(result ? "ok" : std::string(to_string(result.error().code())));
  };
  w.connection->send_with(SessionId(), kFetchContinueRequest, Json::object(), note);
  SECTION("answered") {
    w.settle();
    w.browser->feed(reply(1, Json::object()));
    w.settle();
    CHECK(results == std::vector<std::string>{"ok"});
  }
  SECTION("never answered") {
    while (results.empty()) w.io.run_one();
    CHECK(results == std::vector<std::string>{"timeout"});
  }
  SECTION("the connection is closed, and another is tried") {
    w.connection->close();
    w.connection->send_with(SessionId(), kFetchContinueRequest, Json::object(), note);
    CHECK(results.size() == 1);
    w.settle();
    CHECK(results == std::vector<std::string>{"browser_gone", "browser_gone"});
  }
  CHECK(w.connection->pending_calls() == 0);
}

TEST_CASE("a browser that takes nothing in fails calls instead of filling memory", "[unit]") {
  ConnectionLimits limits;
  limits.max_queued_bytes = 1000;
  limits.max_pending_calls = 5;
  World w(limits);
  w.browser->takes_writes = false;
  SECTION("bytes") {
    w.call(SessionId(), kInputInsertText, {{"text", std::string(900, 'x')}});
    auto refused = w.call(SessionId(), kInputInsertText, {{"text", std::string(200, 'x')}});
    CHECK(code_of(refused) == ErrorCode::kLimit);
  }
  SECTION("calls") {
    for (int i = 0; i < 5; ++i) w.connection->post(SessionId(), kPageEnable);
    CHECK(code_of(w.call(SessionId(), kPageEnable)) == ErrorCode::kLimit);
  }
}

TEST_CASE("whichever step of the transport fails, every call ends and says why", "[unit]") {
  bool untouched = false;
  for (std::size_t n = 0; !untouched; ++n) {
    INFO("operation " << n << " fails");
    REQUIRE(n < 100);
    World w;
    w.browser->failing_operation = n;
    Recorder recorder;
    const auto subscription = w.connection->subscribe(recorder);
    std::vector<std::shared_ptr<std::optional<Result<Json>>>> calls;
    for (std::int64_t id = 1; id <= 3; ++id) {
      calls.push_back(w.call(SessionId("S1"), kPageEnable));
      w.browser->feed(Json{{"method", "Page.loadEventFired"}});
      w.browser->feed(reply(id, Json::object()));
      w.settle();
    }
    untouched = w.connection->is_open();
    for (const auto& call : calls) {
      REQUIRE(call->has_value());
      if (!call->value()) CHECK(call->value().error().code() == ErrorCode::kBrowserGone);
      if (untouched) CHECK(call->value().has_value());
    }
    CHECK(recorder.closed.size() == (untouched ? 0 : 1));
    CHECK(w.connection->pending_calls() == 0);
  }
}

}  // namespace agentlock::cdp
