#include "tools/driver.hpp"

#include <nlohmann/json.hpp>

namespace agentlock::tools {

Driver::Driver(Executor executor, const config::Config& config, TopLevel& top_level,
               Recorder& recorder)
    : executor_(executor),
      config_(config),
      top_level_(top_level),
      recorder_(recorder),
      turns_(std::move(executor)) {}

browser::LaunchOptions Driver::options() const {
  browser::LaunchOptions options;
  options.chromium = config_.chromium_path;
  options.settings.headless = config_.headless;
  options.settings.chromium_args = config_.chromium_args;
  options.settings.user_agent = config_.user_agent;
  if (config_.viewport) {
    options.settings.viewport = browser::Viewport{static_cast<int>(config_.viewport->width),
                                                  static_cast<int>(config_.viewport->height)};
  }
  options.settings.locale = config_.locale;
  options.settings.timezone = config_.timezone;
  for (const auto& [host, address] : config_.test_hosts) {
    options.settings.test_hosts.push_back({host, address});
  }
  options.settings.test_spki = config_.test_spki;
  return options;
}

Task<Result<browser::Browser*>> Driver::ensure(Deadline deadline) {
  if (running()) co_return browser_.get();
  if (browser_) {
    top_level_.watch(nullptr);
    co_await browser_->close();
    browser_.reset();
  }
  auto launched = co_await browser::Browser::launch(executor_, options(), top_level_, deadline);
  if (!launched) co_return tl::unexpected(launched.error());
  browser_ = std::move(*launched);
  top_level_.watch(&browser_->tab());
  restarted_ = was_started_;
  Json event = {{"version", browser_->version()},
                {"sandboxed", browser_->sandboxed()},
                {"restarted", was_started_}};
  static_cast<void>(recorder_.note("browser", event));
  was_started_ = true;
  co_return browser_.get();
}

Task<void> Driver::close() {
  top_level_.watch(nullptr);
  if (browser_) co_await browser_->close();
  browser_.reset();
}

}  // namespace agentlock::tools
