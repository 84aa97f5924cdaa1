#include "browser/activity.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cdp/protocol.hpp"

namespace agentlock::browser {
namespace {

/// The activity of a tab M with a frame F.
struct World {
  Activity activity{cdp::FrameId("M")};

  void say(std::string_view method, const Json& params) { activity.on_event(method, params); }
  void requested(std::string_view frame, std::string_view disposition = "currentTab") {
    say(cdp::kPageFrameRequestedNavigation,
        {{"frameId", std::string(frame)}, {"disposition", std::string(disposition)}});
  }
  void started(std::string_view frame, std::string_view type = "differentDocument") {
    say(cdp::kPageFrameStartedNavigating,
        {{"frameId", std::string(frame)}, {"navigationType", std::string(type)}});
  }
  void loading(std::string_view frame) {
    say(cdp::kPageFrameStartedLoading, {{"frameId", std::string(frame)}});
  }
  void stopped(std::string_view frame) {
    say(cdp::kPageFrameStoppedLoading, {{"frameId", std::string(frame)}});
  }
  void committed(std::string_view frame) {
    say(cdp::kPageFrameNavigated, {{"frame", {{"id", std::string(frame)}}}});
  }
  void request(std::string_view id, std::string_view type) {
    say(cdp::kNetworkRequestWillBeSent,
        {{"requestId", std::string(id)}, {"type", std::string(type)}});
  }
};

TEST_CASE("a navigation is under way from its request to its document, then that loads", "[unit]") {
  World w;
  CHECK_FALSE(w.activity.navigating());
  w.requested("M");
  CHECK(w.activity.navigating());
  w.started("M");
  w.loading("M");
  CHECK(w.activity.navigating());
  CHECK(w.activity.loading());
  w.committed("M");
  CHECK_FALSE(w.activity.navigating());
  CHECK(w.activity.loading());
  w.stopped("M");
  CHECK_FALSE(w.activity.loading());
}

TEST_CASE("a navigation that is answered 204 is over without a document", "[unit]") {
  World w;
  w.requested("M");
  w.started("M");
  w.loading("M");
  w.stopped("M");
  CHECK_FALSE(w.activity.navigating());
  CHECK_FALSE(w.activity.loading());
}

TEST_CASE("a navigation within the document is none to wait for", "[unit]") {
  for (const char* type : {"sameDocument", "historySameDocument"}) {
    World w;
    w.started("M", type);
    CHECK_FALSE(w.activity.navigating());
  }
  for (const char* type : {"differentDocument", "reload", "restore", "historyDifferentDocument"}) {
    World w;
    w.started("M", type);
    CHECK(w.activity.navigating());
  }
  World w;
  w.requested("M");
  const auto before = w.activity.count();
  w.say(cdp::kPageNavigatedWithinDocument, {{"frameId", "M"}, {"url", "#x"}});
  CHECK_FALSE(w.activity.navigating());
  CHECK(w.activity.count() > before);
}

TEST_CASE("what opens elsewhere or downloads leaves this document where it is", "[unit]") {
  for (const char* disposition : {"newTab", "newWindow", "download", ""}) {
    World w;
    w.requested("M", disposition);
    INFO(disposition);
    CHECK_FALSE(w.activity.navigating());
  }
}

TEST_CASE("what the frames of the page do is not the page's navigation", "[unit]") {
  World w;
  w.requested("F");
  w.started("F");
  w.loading("F");
  CHECK_FALSE(w.activity.navigating());
  CHECK_FALSE(w.activity.loading());
  w.requested("M");
  w.loading("M");
  w.stopped("F");
  w.committed("F");
  w.say(cdp::kPageNavigatedWithinDocument, {{"frameId", "F"}});
  CHECK(w.activity.navigating());
  CHECK(w.activity.loading());
}

TEST_CASE("requests that scripts wait for are known until they end, well or badly", "[unit]") {
  World w;
  w.request("1", "XHR");
  w.request("2", "Fetch");
  w.request("3", "Script");
  w.request("4", "Image");
  w.request("5", "WebSocket");
  CHECK(w.activity.fetching());
  w.say(cdp::kNetworkLoadingFinished, {{"requestId", "1"}});
  w.say(cdp::kNetworkLoadingFailed, {{"requestId", "2"}});
  CHECK(w.activity.fetching());
  w.request("3", "Script");  // a redirect: the same request
  w.say(cdp::kNetworkLoadingFinished, {{"requestId", "3"}});
  CHECK_FALSE(w.activity.fetching());
}

TEST_CASE("a new document waits for no request of the one before", "[unit]") {
  World w;
  w.request("1", "Fetch");
  w.committed("F");
  CHECK(w.activity.fetching());
  w.committed("M");
  CHECK_FALSE(w.activity.fetching());
  w.request("2", "Fetch");
  w.activity.forget_requests();
  CHECK_FALSE(w.activity.fetching());
  w.say(cdp::kNetworkLoadingFinished, {{"requestId", "2"}});
  CHECK_FALSE(w.activity.fetching());
}

TEST_CASE("whatever an act may have set off counts", "[unit]") {
  World w;
  std::uint64_t last = w.activity.count();
  const auto grew = [&] {
    const bool more = w.activity.count() > last;
    last = w.activity.count();
    return more;
  };
  w.requested("M");
  CHECK(grew());
  w.started("M");
  CHECK(grew());
  w.loading("M");
  CHECK(grew());
  w.committed("M");
  CHECK(grew());
  w.request("1", "Fetch");
  CHECK(grew());
  w.stopped("M");
  w.request("2", "Image");
  w.requested("F");
  w.say(cdp::kNetworkLoadingFinished, {{"requestId", "1"}});
  CHECK_FALSE(grew());
}

TEST_CASE("a page that starts requests without end costs bounded memory, and still ends",
          "[unit]") {
  World w;
  for (int i = 0; i < 20'000; ++i) w.request(std::to_string(i), "Fetch");
  for (int i = 0; i < 10'000; ++i) {
    w.say(cdp::kNetworkLoadingFinished, {{"requestId", std::to_string(i)}});
  }
  CHECK_FALSE(w.activity.fetching());
}

TEST_CASE("an event that says nothing usable sets nothing going", "[unit]") {
  World w;
  for (const std::string_view method :
       {cdp::kPageFrameRequestedNavigation, cdp::kPageFrameStartedNavigating,
        cdp::kPageFrameStartedLoading, cdp::kPageFrameNavigated, cdp::kNetworkRequestWillBeSent}) {
    for (const char* params : {"{}", "[]", "null", R"({"frameId":5})", R"({"frame":"M"})"}) {
      w.say(method, *parse_json(params));
    }
  }
  CHECK_FALSE(w.activity.navigating());
  CHECK_FALSE(w.activity.loading());
  CHECK_FALSE(w.activity.fetching());
  CHECK(w.activity.count() == 0);
}

}  // namespace
}  // namespace agentlock::browser
