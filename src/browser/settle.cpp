#include <algorithm>

#include <nlohmann/json.hpp>

#include "browser/tab.hpp"
#include "cdp/protocol.hpp"

// Problem: when has a click done all that it does? No single event says so. A
// handler may change the page at once, start a navigation, or ask a server first.
//
// Method (measured, navigation.md section 13): a barrier in our own script world
// returns after the next frame was drawn and the timers that were due have run. If
// a main-frame navigation is under way the barrier itself does not return before
// that is committed or refused, which is a wait for free. Then wait for the load,
// then for the requests that scripts wait for. Whatever new happened meanwhile is
// a reason for another round.
//
// Limits: a timer that is set for later leaves no trace until it fires. Requests
// that never end (a page that polls) are waited for no longer than kMaxFetching,
// and a page that never rests for no more than kMaxRounds.

namespace agentlock::browser {
namespace {

constexpr int kMaxRounds = 4;
constexpr auto kMaxFetching = std::chrono::milliseconds(3'000);
constexpr std::string_view kBarrier =
    "new Promise(resolve => {"
    "  requestAnimationFrame(() => setTimeout(resolve, 0));"
    "  setTimeout(resolve, 60);"
    "})";

}  // namespace

Task<bool> Tab::loaded(Deadline deadline) {
  return changed_.until(
      [this] { return gone() || (!activity_.navigating() && !activity_.loading()); }, deadline);
}

Task<bool> Tab::settle(Deadline deadline) {
  const Deadline fetching = std::min(deadline, after(kMaxFetching));
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::uint64_t before = activity_.count();
    // A world that goes away under the barrier means that another document came.
    if (const auto here = co_await world(frames_.main().id, deadline)) {
      Json params = {{"expression", std::string(kBarrier)},
                     {"contextId", here->context},
                     {"awaitPromise", true}};
      [[maybe_unused]] const auto passed =
          co_await call(cdp::kRuntimeEvaluate, std::move(params), deadline);
    }
    if (!co_await loaded(deadline)) co_return false;
    co_await changed_.until([this] { return gone() || !activity_.fetching(); }, fetching);
    if (gone() || activity_.count() == before) break;
  }
  co_return true;
}

}  // namespace agentlock::browser
