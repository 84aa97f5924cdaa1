#include "agentlock/disclosure.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace agentlock {
namespace {

Origin origin(std::string_view text) { return *Origin::parse_entry(text); }
const Origin kA = origin("https://a.test");
const Origin kB = origin("https://b.test");

const Ledger::Entry* entry_of(const Disclosed& disclosed, const Origin& from) {
  for (const Ledger::Entry* entry : disclosed.recorded) {
    if (entry->origin == from) return entry;
  }
  return nullptr;
}

TEST_CASE("each page string of a result is in the ledger, by origin, joined by line feeds",
          "[unit]") {
  Ledger ledger;
  Draft elements = Draft::array();
  Draft first = Draft::object();
  first.set("id", OwnText(std::string("p1-e1")));
  first.set("name", PageText("Pay", kA, "p1-e1"));
  first.set("href", PageText("https://a.test/pay", kA, "p1-e1"));
  elements.push(std::move(first));
  Draft second = Draft::object();
  second.set("id", OwnText(std::string("p1-e2")));
  second.set("name", PageText("Advert", kB, "p1-e2"));
  elements.push(std::move(second));
  Draft result = Draft::object();
  result.set("ok", true).set("count", std::int64_t{2}).set("title", PageText("Shop", kA));
  result.set("elements", std::move(elements)).set("word", "ours");

  const auto disclosed = disclose(result, ledger, "snapshot");
  REQUIRE(disclosed);
  CHECK(disclosed->json.dump() == R"({"ok":true,"count":2,"title":"Shop","elements":[)"
                                  R"({"id":"p1-e1","name":"Pay","href":"https://a.test/pay"},)"
                                  R"({"id":"p1-e2","name":"Advert"}],"word":"ours"})");
  REQUIRE(disclosed->recorded.size() == 2);
  const Ledger::Entry* a = entry_of(*disclosed, kA);
  const Ledger::Entry* b = entry_of(*disclosed, kB);
  REQUIRE(a != nullptr);
  REQUIRE(b != nullptr);
  CHECK(a->content == "Shop\nPay\nhttps://a.test/pay");
  CHECK(a->source == "snapshot");
  CHECK(b->content == "Advert");
  CHECK(a->element_at(a->content.find("Shop")).empty());
  CHECK(a->element_at(a->content.find("Pay")) == "p1-e1");
  CHECK(a->element_at(a->content.find("https")) == "p1-e1");
  CHECK(b->element_at(0) == "p1-e2");
}

TEST_CASE("what is ours is not recorded as a page's", "[unit]") {
  Ledger ledger;
  Draft result = Draft::object();
  result.set("id", OwnText(std::string("p1-e1"))).set("word", "allowed").set("ok", false);
  const auto disclosed = disclose(result, ledger, "click");
  REQUIRE(disclosed);
  CHECK(disclosed->recorded.empty());
  CHECK(ledger.page_bytes() == 0);
  CHECK(ledger.lineage().size() == 0);
}

TEST_CASE("an empty page string is handed over and needs no entry", "[unit]") {
  Ledger ledger;
  Draft result = Draft::object();
  result.set("name", PageText("", kA, "p1-e1")).set("text", PageText("x", kA, "p1-e1"));
  const auto disclosed = disclose(result, ledger, "snapshot");
  REQUIRE(disclosed);
  CHECK(disclosed->json.dump() == R"({"name":"","text":"x"})");
  REQUIRE(disclosed->recorded.size() == 1);
  CHECK(disclosed->recorded.front()->content == "x");
}

TEST_CASE("the same result again adds nothing to the ledger", "[unit]") {
  Ledger ledger;
  Draft result = Draft::object();
  result.set("title", PageText("Shop", kA));
  REQUIRE(disclose(result, ledger, "snapshot"));
  const auto again = disclose(result, ledger, "snapshot");
  REQUIRE(again);
  CHECK(again->recorded.empty());
  CHECK(again->json.dump() == R"({"title":"Shop"})");
}

TEST_CASE("a full ledger hands nothing over", "[unit]") {
  Ledger ledger(8);
  Draft result = Draft::object();
  result.set("first", PageText("fits", kA)).set("second", PageText("fits not", kB));
  const auto disclosed = disclose(result, ledger, "snapshot");
  REQUIRE_FALSE(disclosed);
  CHECK(disclosed.error().code() == ErrorCode::kLimit);
}

TEST_CASE("what a full ledger refuses in part leaves no trace that no log will tell of", "[unit]") {
  Ledger ledger(8);
  Draft result = Draft::object();
  result.set("first", PageText("fits", kA)).set("second", PageText("fits not", kB));
  REQUIRE_FALSE(disclose(result, ledger, "snapshot"));
  CHECK(ledger.page_bytes() == 0);
  Draft alone = Draft::object();
  alone.set("first", PageText("fits", kA));
  const auto disclosed = disclose(alone, ledger, "snapshot");
  REQUIRE(disclosed);
  CHECK(disclosed->recorded.size() == 1);
}

TEST_CASE("page text that is only judged is recorded too", "[unit]") {
  Ledger ledger;
  const auto recorded = record(PageText("http://evil.test/", kA, "p1-e9"), ledger, "navigation");
  REQUIRE(recorded);
  CHECK(recorded->fresh);
  CHECK(recorded->entry->content == "http://evil.test/");
  CHECK(recorded->entry->source == "navigation");
  CHECK(recorded->entry->element_at(3) == "p1-e9");
  CHECK_FALSE(record(PageText("http://evil.test/", kA), ledger, "navigation")->fresh);
  Ledger full(3);
  CHECK_FALSE(record(PageText("http://evil.test/", kA), full, "navigation"));
}

}  // namespace
}  // namespace agentlock
