#pragma once

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "browser/tab.hpp"
#include "cdp/connection.hpp"
#include "cdp/protocol.hpp"
#include "unit/cdp/model_transport.hpp"

namespace agentlock::browser::test {

/// A Chromium that answers each command with what `results` or `errors` hold for its
/// method, `{}` otherwise, and says what a test tells it to say.
class ModelChromium {
 public:
  ModelChromium() {
    connection = cdp::Connection::open(io.get_executor(),
                                       std::make_unique<cdp::test::ModelTransport>(browser));
  }
  ~ModelChromium() {
    connection->close();
    io.restart();
    io.poll();
  }

  /// Runs what can run without a timer, and answers what was asked.
  void settle() {
    for (;;) {
      io.restart();
      while (io.poll() > 0) {
      }
      if (answered_ == browser->sent.size()) return;
      answer(browser->sent[answered_++]);
    }
  }

  void event(std::string_view method, const Json& params, std::string_view session = "") {
    Json message = {{"method", std::string(method)}, {"params", params}};
    if (!session.empty()) message["sessionId"] = std::string(session);
    browser->feed(message);
    settle();
  }

  /// The coroutine's result; it must come without waiting for a timer.
  template <typename T>
  T run(Task<T> task) {
    std::optional<T> result;
    boost::asio::co_spawn(io, std::move(task), [&result](std::exception_ptr failure, T value) {
      if (!failure) result.emplace(std::move(value));
    });
    settle();
    REQUIRE(result);
    return std::move(*result);
  }

  /// The parameters of all commands of one method, in order.
  std::vector<Json> sent(std::string_view method, std::string_view session = "") const {
    std::vector<Json> found;
    for (const Json& command : browser->sent) {
      if (string_member(command, "method") != method) continue;
      if (string_member(command, "sessionId") != session) continue;
      const Json* params = member(command, "params");
      found.push_back(params != nullptr ? *params : Json::object());
    }
    return found;
  }

  boost::asio::io_context io;
  std::shared_ptr<cdp::test::ModelBrowser> browser =
      std::make_shared<cdp::test::ModelBrowser>(io.get_executor());
  std::shared_ptr<cdp::Connection> connection;
  std::map<std::string, Json, std::less<>> results;
  std::map<std::string, std::string, std::less<>> errors;
  /// Methods that are never answered.
  std::vector<std::string> silent;

 private:
  void answer(const Json& command) {
    const std::string method = string_member(command, "method");
    for (const std::string& one : silent) {
      if (one == method) return;
    }
    Json reply = {{"id", command.at("id")}};
    if (const Json* session = member(command, "sessionId")) reply["sessionId"] = *session;
    if (const auto error = errors.find(method); error != errors.end()) {
      reply["error"] = {{"code", -32000}, {"message", error->second}};
    } else {
      const auto result = results.find(method);
      reply["result"] = result == results.end() ? Json::object() : result->second;
    }
    browser->feed(reply);
  }

  std::size_t answered_ = 0;
};

/// A frame as Chromium describes it.
inline Json frame(std::string_view id, std::string_view loader, std::string_view url,
                  std::string_view parent = "") {
  Json json = {
      {"id", std::string(id)}, {"loaderId", std::string(loader)}, {"url", std::string(url)}};
  if (!parent.empty()) json["parentId"] = std::string(parent);
  const auto parsed = Url::parse(url);
  const Origin origin = parsed ? parsed->origin() : Origin::opaque();
  json["securityOrigin"] = origin.is_opaque() ? "://" : origin.serialize();
  return json;
}

/// A tab T with the session S, at about:blank.
struct ModelTab {
  ModelTab() {
    chromium.results[std::string(cdp::kTargetAttachToTarget)] = {{"sessionId", "S"}};
    chromium.results[std::string(cdp::kPageGetFrameTree)] = {
        {"frameTree", {{"frame", frame("T", "L0", "about:blank")}}}};
    auto attached = chromium.run(Tab::attach(chromium.io.get_executor(), chromium.connection,
                                             cdp::TargetId("T"), after(std::chrono::hours(1))));
    REQUIRE(attached);
    tab = std::move(*attached);
  }

  void event(std::string_view method, const Json& params, std::string_view session = "S") {
    chromium.event(method, params, session);
  }
  /// The main frame has a new document.
  void commit(std::string_view url) {
    event(cdp::kPageFrameNavigated,
          {{"frame", frame("T", "L" + std::to_string(++loads_), url)}, {"type", "Navigation"}});
  }

  ModelChromium chromium;
  std::unique_ptr<Tab> tab;

 private:
  int loads_ = 0;
};

}  // namespace agentlock::browser::test
