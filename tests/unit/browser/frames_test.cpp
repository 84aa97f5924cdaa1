#include "browser/frames.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "unit/browser/model_chromium.hpp"

namespace agentlock::browser {
namespace {

using test::frame;

cdp::FrameId id(std::string_view text) { return cdp::FrameId(std::string(text)); }

/// The frames of a tab M.
struct World {
  Frames frames{id("M")};

  void commit(const Json& described) { say(cdp::kPageFrameNavigated, {{"frame", described}}); }
  void attach(std::string_view child, std::string_view parent) {
    say(cdp::kPageFrameAttached,
        {{"frameId", std::string(child)}, {"parentFrameId", std::string(parent)}});
  }
  void detach(std::string_view child, std::string_view reason = "remove") {
    say(cdp::kPageFrameDetached,
        {{"frameId", std::string(child)}, {"reason", std::string(reason)}});
  }
  void say(std::string_view method, const Json& params) { frames.on_event(method, params); }

  std::string children(std::string_view parent) const {
    std::string names;
    for (const Frame* child : frames.children(id(parent))) names += child->id.value() + " ";
    return names;
  }
  std::string local() const {
    std::string names;
    for (const cdp::FrameId& one : frames.local()) names += one.value() + " ";
    return names;
  }
};

TEST_CASE("a tab has its main frame before anything is known of it", "[unit]") {
  const World w;
  CHECK(w.frames.main().id == id("M"));
  CHECK(w.frames.main().origin.is_opaque());
  CHECK(w.frames.page_load() == 0);
  CHECK(w.local() == "M ");
}

TEST_CASE("the frame tree is taken over as it stands", "[unit]") {
  World w;
  Json children = Json::array();
  children.push_back(Json{{"frame", frame("A", "LA", "https://a.test/x", "M")}});
  children.push_back(Json{
      {"frame", frame("B", "LB", "about:srcdoc", "M")},
      {"childFrames", Json::array({Json{{"frame", frame("C", "LC", "https://c.test/", "B")}}})}});
  w.frames.reset(
      Json{{"frameTree",
            {{"frame", frame("M", "LM", "https://m.test/page")}, {"childFrames", children}}}});
  CHECK(w.frames.size() == 4);
  CHECK(w.frames.main().url == "https://m.test/page");
  CHECK(w.frames.main().origin.serialize() == "https://m.test");
  CHECK(w.frames.page_load() == 1);
  CHECK(w.children("M") == "A B ");
  CHECK(w.children("B") == "C ");
  CHECK(w.frames.find(id("C"))->origin.serialize() == "https://c.test");
  CHECK(w.frames.find(id("B"))->origin.is_opaque());
  CHECK(w.local() == "M A B C ");
}

TEST_CASE("a frame's origin is what Chromium says and not what its address says", "[unit]") {
  World w;
  Json srcdoc = frame("A", "LA", "about:srcdoc", "M");
  srcdoc["securityOrigin"] = "https://m.test";
  w.commit(srcdoc);
  CHECK(w.frames.find(id("A"))->origin.serialize() == "https://m.test");
  // A sandboxed frame has the address of a site and not its origin.
  for (const char* opaque : {"null", "://", ""}) {
    Json sandboxed = frame("A", "LA", "https://m.test/sandboxed", "M");
    sandboxed["securityOrigin"] = opaque;
    w.commit(sandboxed);
    CHECK(w.frames.find(id("A"))->origin.is_opaque());
  }
  Json silent = frame("A", "LA", "https://m.test/", "M");
  silent.erase("securityOrigin");
  w.commit(silent);
  CHECK(w.frames.find(id("A"))->origin.is_opaque());
}

TEST_CASE("an address is kept with its fragment", "[unit]") {
  World w;
  Json main = frame("M", "L1", "https://m.test/page");
  main["urlFragment"] = "#here";
  w.commit(main);
  CHECK(w.frames.main().url == "https://m.test/page#here");
}

TEST_CASE("each new main document is a page load and has no frames of the one before", "[unit]") {
  World w;
  w.commit(frame("M", "L1", "https://m.test/"));
  w.attach("A", "M");
  w.attach("B", "A");
  CHECK(w.frames.page_load() == 1);
  w.commit(frame("M", "L2", "https://n.test/"));
  CHECK(w.frames.page_load() == 2);
  CHECK(w.frames.size() == 1);
  CHECK(w.local() == "M ");
  CHECK(w.frames.main().origin.serialize() == "https://n.test");
}

TEST_CASE("the same document told twice, or another in a frame, is no page load", "[unit]") {
  World w;
  w.commit(frame("M", "L1", "https://m.test/"));
  w.attach("A", "M");
  w.commit(frame("M", "L1", "https://m.test/"));
  w.commit(frame("A", "LA", "https://a.test/", "M"));
  w.commit(frame("A", "LB", "https://b.test/", "M"));
  CHECK(w.frames.page_load() == 1);
  CHECK(w.children("M") == "A ");
  CHECK(w.frames.find(id("A"))->loader.value() == "LB");
}

TEST_CASE("a navigation within the document changes its address and nothing else", "[unit]") {
  World w;
  w.commit(frame("M", "L1", "https://m.test/"));
  w.attach("A", "M");
  w.say(cdp::kPageNavigatedWithinDocument, {{"frameId", "M"}, {"url", "https://m.test/#two"}});
  CHECK(w.frames.main().url == "https://m.test/#two");
  CHECK(w.frames.page_load() == 1);
  CHECK(w.frames.main().origin.serialize() == "https://m.test");
  CHECK(w.children("M") == "A ");
  w.say(cdp::kPageNavigatedWithinDocument, {{"frameId", "X"}, {"url", "https://evil.test/"}});
  CHECK(w.frames.size() == 2);
}

TEST_CASE("a frame whose document comes before its attachment is known once", "[unit]") {
  World w;
  w.commit(frame("A", "LA", "https://a.test/", "M"));
  w.attach("A", "M");
  CHECK(w.frames.size() == 2);
  CHECK(w.frames.find(id("A"))->url == "https://a.test/");
  CHECK(w.children("M") == "A ");
}

TEST_CASE("a frame that goes takes its children with it", "[unit]") {
  World w;
  w.attach("A", "M");
  w.attach("B", "A");
  w.attach("C", "B");
  w.attach("D", "M");
  w.detach("A");
  CHECK(w.local() == "M D ");
  // The children's own events come late, and the main frame's never.
  w.detach("C");
  w.detach("B");
  w.detach("A");
  w.detach("X");
  w.detach("M");
  CHECK(w.frames.find(id("M")) != nullptr);
  CHECK(w.frames.main().id == id("M"));
}

TEST_CASE("a frame that moves to another process stays, and its old children do not", "[unit]") {
  World w;
  w.attach("A", "M");
  w.attach("B", "A");
  w.detach("A", "swap");
  REQUIRE(w.frames.find(id("A")) != nullptr);
  CHECK(w.frames.find(id("A"))->remote);
  CHECK(w.local() == "M ");
  CHECK(w.children("M") == "A ");
  // It moves back with its next document.
  w.commit(frame("A", "LA", "https://m.test/", "M"));
  CHECK_FALSE(w.frames.find(id("A"))->remote);
  CHECK(w.local() == "M A ");
}

TEST_CASE("children are listed in the order in which they came", "[unit]") {
  World w;
  for (const char* child : {"Z", "A", "M2", "B"}) w.attach(child, "M");
  CHECK(w.children("M") == "Z A M2 B ");
  w.detach("A");
  w.attach("A", "M");
  CHECK(w.children("M") == "Z M2 B A ");
}

TEST_CASE("a page with more frames than the bound costs no more memory", "[unit]") {
  World w;
  for (int i = 0; i < 3'000; ++i) {
    w.attach("A" + std::to_string(i), "M");
    w.commit(frame("B" + std::to_string(i), "L", "https://b.test/", "M"));
  }
  CHECK(w.frames.size() <= 1'000);
  // The main frame goes on as ever.
  w.commit(frame("M", "L9", "https://m.test/"));
  CHECK(w.frames.size() == 1);
  CHECK(w.frames.main().url == "https://m.test/");
}

TEST_CASE("an event that says nothing usable changes no frame", "[unit]") {
  World w;
  w.commit(frame("M", "L1", "https://m.test/"));
  for (const std::string_view method :
       {cdp::kPageFrameNavigated, cdp::kPageFrameAttached, cdp::kPageFrameDetached,
        cdp::kPageNavigatedWithinDocument}) {
    for (const char* params : {"{}", "[]", "null", R"({"frame":5})", R"({"frame":{}})",
                               R"({"frameId":5})", R"({"frameId":""})", R"({"frameId":"X"})"}) {
      INFO(method << " " << params);
      if (method == cdp::kPageFrameAttached && params == std::string_view(R"({"frameId":"X"})"))
        continue;
      w.say(method, *parse_json(params));
      CHECK(w.frames.size() == 1);
    }
  }
  CHECK(w.frames.main().url == "https://m.test/");
  CHECK(w.frames.page_load() == 1);
  w.frames.reset(*parse_json(R"({"frameTree":{"childFrames":[{"childFrames":5}]}})"));
  CHECK(w.frames.size() == 1);
}

}  // namespace
}  // namespace agentlock::browser
