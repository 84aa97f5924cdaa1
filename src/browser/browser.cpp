#include "browser/browser.hpp"

#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "cdp/protocol.hpp"

namespace agentlock::browser {

Task<Result<std::unique_ptr<Browser>>> Browser::launch(Executor executor, LaunchOptions options,
                                                       DocumentJudge& judge, Deadline deadline) {
  auto browser = std::unique_ptr<Browser>(new Browser);
  auto process = co_await ChromiumProcess::launch(executor, std::move(options), deadline);
  if (!process) co_return tl::unexpected(process.error());
  browser->process_ = std::move(*process);
  auto started = co_await browser->start(executor, judge, deadline);
  if (!started) {
    co_await browser->close();
    co_return fail(started.error(), "Chromium was started, but could not be driven");
  }
  co_return browser;
}

Task<Result<void>> Browser::start(Executor executor, DocumentJudge& judge, Deadline deadline) {
  auto address = process_->address();
  auto transport = co_await cdp::connect_websocket(executor, std::move(address), deadline);
  if (!transport) co_return tl::unexpected(transport.error());
  connection_ = cdp::Connection::open(executor, std::move(*transport));
  subscription_ = connection_->subscribe(*this);

  auto interceptor = co_await Interceptor::install(connection_, judge, deadline);
  if (!interceptor) co_return tl::unexpected(interceptor.error());
  interceptor_ = std::move(*interceptor);

  Json downloads = {{"behavior", "deny"}, {"eventsEnabled", true}};
  auto denied = co_await connection_->call({}, cdp::kBrowserSetDownloadBehavior,
                                           std::move(downloads), deadline);
  if (!denied) co_return tl::unexpected(denied.error());

  auto version = co_await connection_->call({}, cdp::kBrowserGetVersion, deadline);
  if (!version) co_return tl::unexpected(version.error());
  version_ = string_member(*version, "product");

  interceptor_->expect_tab();
  Json blank = {{"url", "about:blank"}};
  auto created =
      co_await connection_->call({}, cdp::kTargetCreateTarget, std::move(blank), deadline);
  if (!created) co_return tl::unexpected(created.error());
  cdp::TargetId target(string_member(*created, "targetId"));
  auto tab = co_await Tab::attach(executor, connection_, std::move(target), deadline);
  if (!tab) co_return tl::unexpected(tab.error());
  tab_ = std::move(*tab);
  co_return Result<void>{};
}

Browser::~Browser() = default;

Task<void> Browser::close() {
  alive_ = false;
  // The process first: a browser that loses its controller sends what was held.
  auto closed = co_await process_->close();
  if (!closed) log::warning("ending Chromium: " + closed.error().describe());
  if (connection_) connection_->close();
}

void Browser::on_closed(const Error& reason) {
  if (alive_) log::warning("Chromium is gone: " + reason.describe());
  alive_ = false;
  // A browser without its controller is one without the interceptor: it lets go what
  // was held, and the page goes where it likes.
  if (process_) process_->end_soon();
}

}  // namespace agentlock::browser
