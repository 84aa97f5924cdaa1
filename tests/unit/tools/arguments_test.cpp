#include "tools/arguments.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace agentlock::tools {
namespace {

Result<Arguments> parse(std::string_view json) {
  return Arguments::parse(*parse_json(std::string(json)), {"url", "link_id"}, {"max"});
}

std::string complaint(std::string_view json) {
  const auto arguments = parse(json);
  REQUIRE_FALSE(arguments);
  CHECK(arguments.error().code() == ErrorCode::kInvalidArgument);
  return arguments.error().message();
}

TEST_CASE("arguments are read by name, and what was not given is not there", "[unit]") {
  const auto arguments = parse(R"({"url":"https://a.test/","max":5})");
  REQUIRE(arguments);
  CHECK(arguments->text("url") == "https://a.test/");
  CHECK_FALSE(arguments->text("link_id"));
  CHECK(arguments->integer("max") == 5);
  CHECK_FALSE(parse("{}")->integer("max"));
  CHECK(parse(R"({"url":""})")->text("url") == "");
}

TEST_CASE("an argument of another type is refused by its name", "[unit]") {
  for (const char* value : {"5", "null", "true", "[\"x\"]", "{}"}) {
    CHECK(complaint(R"({"url":)" + std::string(value) + "}") == "The argument url must be a text.");
  }
  for (const char* value : {"0", "-1", "1.5", "1.0", "\"5\"", "null", "18446744073709551615"}) {
    INFO(value);
    CHECK(complaint(R"({"max":)" + std::string(value) + "}") ==
          "The argument max must be a whole number of 1 or more.");
  }
}

TEST_CASE("an argument that the tool has not is refused, and the known ones are named", "[unit]") {
  for (const char* json : {R"({"selector":"#a"})", R"({"URL":"x"})", R"({"url ":"x"})",
                           R"({"":"x"})", R"({"url":"x","script":"y"})"}) {
    INFO(json);
    CHECK(complaint(json) == "There is no such argument; this tool takes url, link_id, max.");
  }
  const auto none = Arguments::parse(*parse_json(R"({"a":1})"), {});
  REQUIRE_FALSE(none);
  CHECK(none.error().message() == "There is no such argument: this tool takes none.");
}

TEST_CASE("arguments that are no object are refused", "[unit]") {
  for (const char* json : {"null", "[]", "\"url\"", "5", "true"}) {
    CHECK(complaint(json) == "The arguments must be an object.");
  }
}

}  // namespace
}  // namespace agentlock::tools
