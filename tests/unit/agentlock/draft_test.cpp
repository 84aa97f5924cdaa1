#include "agentlock/draft.hpp"

#include <string>
#include <string_view>
#include <type_traits>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "agentlock/disclosure.hpp"

namespace agentlock {
namespace {

// What would let a page's string in as ours, or out unrecorded.
static_assert(!std::is_convertible_v<std::string, Draft>);
static_assert(!std::is_convertible_v<std::string_view, Draft>);
static_assert(!std::is_convertible_v<const char*, Draft>);
static_assert(!std::is_convertible_v<char*, Draft>);
static_assert(!std::is_convertible_v<std::string, OwnText>);
static_assert(!std::is_convertible_v<PageText, OwnText>);
static_assert(!std::is_convertible_v<PageText, std::string>);
static_assert(!std::is_convertible_v<PageText, std::string_view>);
static_assert(!std::is_constructible_v<std::string, PageText>);
static_assert(!std::is_constructible_v<nlohmann::ordered_json, Draft>);
static_assert(!std::is_constructible_v<nlohmann::ordered_json, PageText>);

TEST_CASE("a draft becomes the JSON that it is shaped like", "[unit]") {
  Ledger ledger;
  Draft draft = Draft::object();
  draft.set("flag", true).set("number", std::int64_t{-5}).set("literal", "with \"quotes\"");
  draft.set("own", OwnText(std::string("o\0n", 3))).set("empty", Draft::array());
  draft.set("object", Draft::object());
  draft.set("list",
            Draft::array().push(false).push("x").push(Draft::array().push(std::int64_t{1})));
  const auto disclosed = disclose(draft, ledger, "test");
  REQUIRE(disclosed);
  CHECK(disclosed->json.dump() ==
        R"({"flag":true,"number":-5,"literal":"with \"quotes\"","own":"o\u0000n",)"
        R"("empty":[],"object":{},"list":[false,"x",[1]]})");
}

TEST_CASE("only an array without items counts as empty", "[unit]") {
  CHECK(Draft::array().is_empty_array());
  CHECK_FALSE(Draft::array().push(true).is_empty_array());
  CHECK_FALSE(Draft::object().is_empty_array());
  CHECK_FALSE(Draft("").is_empty_array());
}

}  // namespace
}  // namespace agentlock
