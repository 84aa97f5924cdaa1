#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cdp/transport.hpp"

namespace agentlock::cdp::test {

/// The other end of a model transport: what was sent stays here, and what is fed
/// here arrives there. Operation number `failing_operation` (reads and writes
/// counted together, from 0) fails, as do all after it.
class ModelBrowser {
 public:
  explicit ModelBrowser(Executor executor)
      : executor_(executor), incoming_(executor), writable_(executor), sent_more_(executor) {}

  void feed_text(std::string text) {
    to_read_.push_back(std::move(text));
    incoming_.cancel();
  }
  void feed(const Json& message) { feed_text(to_line(message)); }
  void hang_up() {
    gone_ = true;
    incoming_.cancel();
  }

  /// Waits until `count` messages were sent.
  Task<void> until_sent(std::size_t count) {
    while (sent.size() < count) {
      sent_more_.expires_at(boost::asio::steady_timer::time_point::max());
      co_await sent_more_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
  }

  std::vector<Json> sent;
  bool closed = false;
  bool takes_writes = true;
  std::optional<std::size_t> failing_operation;
  std::size_t operations = 0;

 private:
  friend class ModelTransport;
  bool fails_now() { return failing_operation && operations++ >= *failing_operation; }

  Executor executor_;
  std::deque<std::string> to_read_;
  boost::asio::steady_timer incoming_;
  boost::asio::steady_timer writable_;
  boost::asio::steady_timer sent_more_;
  bool gone_ = false;
};

class ModelTransport final : public Transport {
 public:
  explicit ModelTransport(std::shared_ptr<ModelBrowser> browser) : browser_(std::move(browser)) {}

  Task<Result<std::string>> read() override {
    ModelBrowser& b = *browser_;
    if (b.fails_now())
      co_return fail(ErrorCode::kBrowserGone, "the plan says that this read fails");
    while (true) {
      if (b.closed || (b.gone_ && b.to_read_.empty())) {
        co_return fail(ErrorCode::kBrowserGone, "end of the stream");
      }
      if (!b.to_read_.empty()) {
        std::string text = std::move(b.to_read_.front());
        b.to_read_.pop_front();
        co_return text;
      }
      b.incoming_.expires_at(boost::asio::steady_timer::time_point::max());
      co_await b.incoming_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
  }

  Task<Result<void>> write(std::string message) override {
    ModelBrowser& b = *browser_;
    if (b.fails_now()) {
      co_return fail(ErrorCode::kBrowserGone, "the plan says that this write fails");
    }
    while (!b.takes_writes && !b.closed) {
      b.writable_.expires_at(boost::asio::steady_timer::time_point::max());
      co_await b.writable_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
    if (b.closed) co_return fail(ErrorCode::kBrowserGone, "closed");
    b.sent.push_back(Json::parse(message));
    b.sent_more_.cancel();
    co_return Result<void>();
  }

  void close() override {
    browser_->closed = true;
    browser_->incoming_.cancel();
    browser_->writable_.cancel();
  }

 private:
  std::shared_ptr<ModelBrowser> browser_;
};

}  // namespace agentlock::cdp::test
