#include "browser/interceptor.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "unit/browser/model_chromium.hpp"

namespace agentlock::browser {
namespace {

/// Says what it is told to say and remembers what it was asked.
struct ModelJudge final : DocumentJudge {
  Ruling rule(const DocumentRequest& request) override {
    asked.push_back(request);
    if (broken) throw std::runtime_error("broken");
    return answer;
  }
  void new_page(const NewPage& page) override {
    pages.push_back(page);
    if (broken) throw std::runtime_error("broken");
  }
  Ruling answer = Ruling::kContinue;
  bool broken = false;
  std::vector<DocumentRequest> asked;
  std::vector<NewPage> pages;
};

/// A browser with interception on and one tab of ours, T.
struct World {
  World() {
    auto installed = chromium.run(
        Interceptor::install(chromium.connection, judge, after(std::chrono::hours(1))));
    REQUIRE(installed);
    interceptor = std::move(*installed);
    interceptor->expect_tab();
    page("T");
    seen_ = chromium.browser->sent.size();
  }

  void page(std::string_view id, std::string_view opener = "", std::string_view url = "about:blank",
            std::string_view type = "page") {
    Json info = {
        {"targetId", std::string(id)}, {"type", std::string(type)}, {"url", std::string(url)}};
    if (!opener.empty()) info["openerId"] = std::string(opener);
    chromium.event(cdp::kTargetTargetCreated, {{"targetInfo", info}});
  }

  /// What was sent since the last call, as "method params".
  std::string answers() {
    std::string text;
    for (; seen_ < chromium.browser->sent.size(); ++seen_) {
      const Json& command = chromium.browser->sent[seen_];
      text += string_member(command, "method") + " " + to_line(command.at("params")) + "\n";
    }
    return text;
  }
  std::string paused(const Json& params) {
    chromium.event(cdp::kFetchRequestPaused, params);
    return answers();
  }

  test::ModelChromium chromium;
  ModelJudge judge;
  std::unique_ptr<Interceptor> interceptor;

 private:
  std::size_t seen_ = 0;
};

Json request(std::string_view frame, std::string_view type,
             std::string_view url = "https://a.test/x", std::string_view method = "GET") {
  return {{"requestId", "R1"},
          {"frameId", std::string(frame)},
          {"resourceType", std::string(type)},
          {"networkId", "N1"},
          {"request",
           {{"url", std::string(url)},
            {"method", std::string(method)},
            {"headers", {{"Accept", "*/*"}}}}}};
}

const std::string kContinued = "Fetch.continueRequest {\"requestId\":\"R1\"}\n";
const std::string kNoContent = "Fetch.fulfillRequest {\"requestId\":\"R1\",\"responseCode\":204}\n";
const std::string kNotFound = "Fetch.fulfillRequest {\"requestId\":\"R1\",\"responseCode\":404}\n";

TEST_CASE("every request is paused before a page can be told to go anywhere", "[unit]") {
  World w;
  const auto discover = w.chromium.sent(cdp::kTargetSetDiscoverTargets);
  REQUIRE(discover.size() == 1);
  CHECK(to_line(discover[0]) == R"({"discover":true})");
  const auto fetch = w.chromium.sent(cdp::kFetchEnable);
  REQUIRE(fetch.size() == 1);
  CHECK(to_line(fetch[0]) ==
        R"({"patterns":[{"urlPattern":"*","requestStage":"Request"}],"handleAuthRequests":true})");
}

TEST_CASE("without interception there is no browser", "[unit]") {
  for (const std::string_view method : {cdp::kTargetSetDiscoverTargets, cdp::kFetchEnable}) {
    test::ModelChromium chromium;
    ModelJudge judge;
    chromium.errors[std::string(method)] = "no";
    CHECK_FALSE(chromium.run(
        Interceptor::install(chromium.connection, judge, after(std::chrono::hours(1)))));
  }
}

TEST_CASE("a top-level document goes on only if the judge says so", "[unit]") {
  World w;
  CHECK(w.paused(request("T", "Document")) == kContinued);
  w.judge.answer = Ruling::kRefuse;
  CHECK(w.paused(request("T", "Document", "http://evil.test/q", "POST")) == kNoContent);
  REQUIRE(w.judge.asked.size() == 2);
  CHECK(w.judge.asked[0].tab.value() == "T");
  CHECK(w.judge.asked[0].url == "https://a.test/x");
  CHECK(w.judge.asked[0].method == "GET");
  CHECK(w.judge.asked[0].navigation == "N1");
  CHECK_FALSE(w.judge.asked[0].redirect);
  CHECK(w.judge.asked[1].url == "http://evil.test/q");
  CHECK(w.judge.asked[1].method == "POST");
}

TEST_CASE("each hop of a redirect is judged anew, as part of the same navigation", "[unit]") {
  World w;
  REQUIRE(w.paused(request("T", "Document")) == kContinued);
  Json hop = request("T", "Document", "http://evil.test/");
  hop["redirectedRequestId"] = "R0";
  w.judge.answer = Ruling::kRefuse;
  CHECK(w.paused(hop) == kNoContent);
  REQUIRE(w.judge.asked.size() == 2);
  CHECK(w.judge.asked[1].redirect);
  CHECK(w.judge.asked[1].navigation == w.judge.asked[0].navigation);
}

TEST_CASE("the judge sees the address whole", "[unit]") {
  World w;
  Json params = request("T", "Document");
  params["request"]["urlFragment"] = "#secret";
  w.paused(params);
  REQUIRE(w.judge.asked.size() == 1);
  CHECK(w.judge.asked[0].url == "https://a.test/x#secret");
}

TEST_CASE("a judge that fails has said no", "[unit]") {
  World w;
  w.judge.broken = true;
  CHECK(w.paused(request("T", "Document")) == kNoContent);
  w.judge.broken = false;
  CHECK(w.paused(request("T", "Document")) == kContinued);
}

TEST_CASE("documents of frames and what pages are made of go on unjudged", "[unit]") {
  World w;
  w.judge.answer = Ruling::kRefuse;
  CHECK(w.paused(request("F", "Document")) == kContinued);
  for (const char* type :
       {"Image", "Script", "XHR", "Fetch", "Stylesheet", "Font", "Ping", "Other"}) {
    CHECK(w.paused(request("T", type)) == kContinued);
  }
  // A worker's requests have no frame.
  CHECK(w.paused(request("", "Fetch")) == kContinued);
  CHECK(w.judge.asked.empty());
}

TEST_CASE("a service worker's script is not found, in whatever case it is asked for", "[unit]") {
  World w;
  for (const char* header : {"Service-Worker", "service-worker", "SERVICE-WORKER"}) {
    Json params = request("T", "Other");
    params["request"]["headers"][header] = "script";
    CHECK(w.paused(params) == kNotFound);
    // Also where it poses as something else.
    params["resourceType"] = "Document";
    CHECK(w.paused(params) == kNotFound);
  }
  CHECK(w.judge.asked.empty());
}

TEST_CASE("a page that nobody asked for is closed and sends nothing", "[unit]") {
  World w;
  w.page("P", "T", "http://evil.test/");
  CHECK(w.answers() == "Target.closeTarget {\"targetId\":\"P\"}\n");
  REQUIRE(w.judge.pages.size() == 1);
  CHECK(w.judge.pages[0].tab.value() == "P");
  CHECK(w.judge.pages[0].opener.value() == "T");
  CHECK(w.judge.pages[0].url == "http://evil.test/");
  // Until it is gone.
  CHECK(w.paused(request("P", "Document")) == kNoContent);
  CHECK(w.judge.asked.empty());
  CHECK(w.judge.pages.size() == 1);
}

TEST_CASE("a page without an opener is ours only if it was expected", "[unit]") {
  World w;
  w.page("Q");
  CHECK(w.answers() == "Target.closeTarget {\"targetId\":\"Q\"}\n");
  w.interceptor->expect_tab();
  w.page("P", "T");  // a popup takes no expected tab's place
  CHECK(w.answers() == "Target.closeTarget {\"targetId\":\"P\"}\n");
  w.page("U");
  CHECK(w.answers().empty());
  CHECK(w.paused(request("U", "Document")) == kContinued);
  w.page("V");
  CHECK(w.answers() == "Target.closeTarget {\"targetId\":\"V\"}\n");
}

TEST_CASE("a popup is told of by the address that its opener asked for", "[unit]") {
  World w;
  w.chromium.event(cdp::kPageWindowOpen, {{"url", "http://evil.test/popup"}}, "S");
  w.page("P", "T", "about:blank");
  REQUIRE(w.judge.pages.size() == 1);
  CHECK(w.judge.pages[0].url == "http://evil.test/popup");
}

TEST_CASE("a popup is closed also where writing it down fails", "[unit]") {
  World w;
  w.judge.broken = true;
  w.page("P", "T");
  CHECK(w.answers() == "Target.closeTarget {\"targetId\":\"P\"}\n");
  CHECK(w.paused(request("P", "Document")) == kNoContent);
}

TEST_CASE("a document of a closed tab is a stranger's", "[unit]") {
  World w;
  w.chromium.event(cdp::kTargetTargetDestroyed, {{"targetId", "T"}});
  w.page("T", "X");  // its name again, opened by a page
  w.answers();
  CHECK(w.paused(request("T", "Document")) == kNoContent);
  CHECK(w.judge.asked.empty());
}

TEST_CASE("targets that are no pages have no top level", "[unit]") {
  World w;
  w.page("F", "", "https://frame.test/", "iframe");
  w.page("W", "", "https://worker.test/", "worker");
  CHECK(w.answers().empty());
  CHECK(w.judge.pages.empty());
}

TEST_CASE("a password is never asked for", "[unit]") {
  World w;
  w.chromium.event(cdp::kFetchAuthRequired,
                   {{"requestId", "R2"}, {"authChallenge", {{"origin", "https://a.test"}}}});
  CHECK(
      w.answers() ==
      R"(Fetch.continueWithAuth {"requestId":"R2","authChallengeResponse":{"response":"CancelAuth"}})"
      "\n");
}

TEST_CASE("what can't be read is never let through as a document", "[unit]") {
  World w;
  Json no_request = request("T", "Document");
  no_request.erase("request");
  CHECK(w.paused(no_request) == kNoContent);

  Json no_type = request("T", "Document");
  no_type.erase("resourceType");
  CHECK(w.paused(no_type) == kNoContent);
  no_type["resourceType"] = 5;
  CHECK(w.paused(no_type) == kNoContent);

  Json no_frame = request("T", "Document");
  no_frame.erase("frameId");
  CHECK(w.paused(no_frame) == kNoContent);
  no_frame["frameId"] = Json::array({"T"});
  CHECK(w.paused(no_frame) == kNoContent);
  CHECK(w.judge.asked.empty());

  // The judge decides on what is left of a request; it knows no such address.
  w.judge.answer = Ruling::kRefuse;
  for (const char* broken : {"5", "\"x\"", "{}", "[]", R"({"url":5,"headers":5})"}) {
    Json params = request("T", "Document");
    params["request"] = *parse_json(broken);
    INFO(broken);
    CHECK(w.paused(params) == kNoContent);
    CHECK(w.judge.asked.back().url.empty());
  }
  for (const char* nothing : {"{}", "[]", "null"}) {
    CHECK(w.paused(*parse_json(nothing)).find("continue") == std::string::npos);
  }
}

TEST_CASE("pages that announce windows without end cost bounded memory", "[unit]") {
  World w;
  for (int i = 0; i < 1'000; ++i) {
    w.chromium.browser->feed(Json{{"method", "Page.windowOpen"},
                                  {"params", {{"url", "http://evil.test/" + std::to_string(i)}}}});
  }
  w.chromium.settle();
  int named = 0;
  for (int i = 0; i < 100; ++i) {
    w.page("P" + std::to_string(i), "T", "about:blank");
    named += w.judge.pages.back().url == "about:blank" ? 0 : 1;
  }
  CHECK(named < 100);
}

}  // namespace
}  // namespace agentlock::browser
