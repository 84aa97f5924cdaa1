#include "perception/element_ids.hpp"

#include <set>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

namespace agentlock::perception {
namespace {

NodeKey node(std::int64_t number, IdKind kind = IdKind::kElement, const char* frame = "F",
             const char* document = "D") {
  return {cdp::FrameId(frame), cdp::LoaderId(document), kind, number};
}

struct Complaint {
  ErrorCode code;
  std::string sentence;
};

Complaint complaint(const ElementIds& ids, std::string_view id) {
  const auto found = ids.find_element(id);
  REQUIRE_FALSE(found);
  // What to do, and not the id: a page or a model chose that.
  CHECK(found.error().message().find("snapshot") != std::string::npos);
  if (id.size() > 5) CHECK(found.error().message().find(id) == std::string::npos);
  return {found.error().code(), found.error().message()};
}

TEST_CASE("a node keeps its id, and each node has its own", "[unit]") {
  ElementIds ids;
  ids.start_page_load();
  const std::string first = ids.mint(node(1));
  CHECK(first == "p1-e1");
  CHECK(ids.mint(node(7)) == "p1-e2");
  CHECK(ids.mint(node(1)) == first);
  CHECK(ids.mint(node(1, IdKind::kBlock)) == "p1-b1");
  // The same number in another frame, and in another document of the frame.
  CHECK(ids.mint(node(1, IdKind::kElement, "G")) == "p1-e3");
  CHECK(ids.mint(node(1, IdKind::kElement, "F", "E")) == "p1-e4");
  CHECK(ids.mint(node(1)) == first);
}

TEST_CASE("an id leads back to its node and to the address shown with it", "[unit]") {
  ElementIds ids;
  ids.start_page_load();
  const std::string id = ids.mint(node(5));
  REQUIRE(ids.find_element(id));
  CHECK(ids.find_element(id)->node == node(5));
  CHECK(ids.find_element(id)->href.empty());
  ids.report_href(id, "https://a.test/1");
  ids.report_href("p1-e99", "https://evil.test/");
  CHECK(ids.find_element(id)->href == "https://a.test/1");
  ids.report_href(id, "https://a.test/2");
  CHECK(ids.find_element(id)->href == "https://a.test/2");
}

TEST_CASE("an id of another page load is stale", "[unit]") {
  ElementIds ids;
  ids.start_page_load();
  const std::string old = ids.mint(node(1));
  const std::string block = ids.mint(node(1, IdKind::kBlock));
  ids.start_page_load();
  const std::string now = ids.mint(node(1));
  CHECK(complaint(ids, old).code == ErrorCode::kStale);
  CHECK(complaint(ids, block).code == ErrorCode::kStale);
  CHECK(complaint(ids, "p3-e1").code == ErrorCode::kStale);  // not even a later one
  CHECK(complaint(ids, "p1-e99").code == ErrorCode::kStale);
  REQUIRE(ids.find_element(now));
  ids.report_href(old, "https://evil.test/");
  CHECK(ids.find_element(now)->href.empty());
}

TEST_CASE("a block's id is no element's", "[unit]") {
  ElementIds ids;
  ids.start_page_load();
  const auto complained = complaint(ids, ids.mint(node(1, IdKind::kBlock)));
  CHECK(complained.code == ErrorCode::kInvalidArgument);
  CHECK(complained.sentence.find("text block") != std::string::npos);
}

TEST_CASE("an id that was never given out is unknown", "[unit]") {
  ElementIds ids;
  ids.start_page_load();
  ids.mint(node(1));
  for (const char* id : {"p1-e2", "p1-e0", "p1-e01", "p01-e1", "p1-e18446744073709551615"}) {
    INFO(id);
    CHECK(complaint(ids, id).code == ErrorCode::kNotFound);
  }
}

TEST_CASE("what has not an id's form is told so", "[unit]") {
  ElementIds ids;
  ids.start_page_load();
  ids.mint(node(1));
  for (const std::string_view id : {"",
                                    "p",
                                    "p1",
                                    "p1-",
                                    "p1-e",
                                    "p-e1",
                                    "1-e1",
                                    "e1",
                                    "P1-e1",
                                    "p1-E1",
                                    "p1-x1",
                                    "p1-e1 ",
                                    " p1-e1",
                                    "p1-e1\n",
                                    "p1-e-1",
                                    "p1-e+1",
                                    "p+1-e1",
                                    "p1-e1x",
                                    "p1--e1",
                                    "p1-e1-e1",
                                    "p1_e1",
                                    "p1-e18446744073709551616",
                                    "p99999999999999999999-e1",
                                    "#login",
                                    "//a[1]",
                                    "p1-e\xEF\xBC\x91"}) {
    INFO(id);
    CHECK(complaint(ids, id).code == ErrorCode::kInvalidArgument);
  }
  const std::string with_nul("p1-e1\0", 6);
  CHECK_FALSE(ids.find_element(with_nul));
  CHECK_FALSE(ids.find_element(std::string(100'000, '1')));
}

TEST_CASE("no id is ever minted twice, however often the page loads", "[unit]") {
  ElementIds ids;
  std::set<std::string> seen;
  for (int load = 0; load < 50; ++load) {
    ids.start_page_load();
    for (std::int64_t i = 0; i < 20; ++i) {
      CHECK(seen.insert(ids.mint(node(i))).second);
      CHECK(seen.insert(ids.mint(node(i, IdKind::kBlock))).second);
    }
  }
  CHECK(ids.page_load() == 50);
}

}  // namespace
}  // namespace agentlock::perception
