#include "tools/schema.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tools/table.hpp"

namespace agentlock::tools {
namespace {

// What draft-07 and 2020-12 read alike and every client takes (mcp.md, section 0,
// number 7): no $schema, no $ref, no alternatives, one type each.
const std::set<std::string> kKeywords = {"type",  "properties",  "required", "additionalProperties",
                                         "items", "description", "minimum",  "maximum"};
const std::set<std::string> kTypes = {"object", "array", "string", "boolean", "integer"};

void check_schema(const Json& schema) {
  INFO(schema.dump());
  REQUIRE(schema.is_object());
  for (const auto& [keyword, value] : schema.items()) CHECK(kKeywords.contains(keyword));
  REQUIRE(schema.contains("type"));
  REQUIRE(schema["type"].is_string());
  const std::string type = schema["type"].get<std::string>();
  CHECK(kTypes.contains(type));
  if (type == "object") {
    REQUIRE(schema.contains("additionalProperties"));
    CHECK(schema["additionalProperties"] == false);
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [name, property] : properties.items()) check_schema(property);
    const Json required = schema.value("required", Json::array());
    REQUIRE(required.is_array());
    std::set<std::string> names;
    for (const Json& name : required) {
      CHECK(properties.contains(name.get<std::string>()));
      CHECK(names.insert(name.get<std::string>()).second);
    }
  } else {
    for (const char* keyword : {"properties", "required", "additionalProperties"}) {
      CHECK_FALSE(schema.contains(keyword));
    }
  }
  CHECK(schema.contains("items") == (type == "array"));
  if (type == "array") check_schema(schema["items"]);
  if (type != "integer") {
    CHECK_FALSE(schema.contains("minimum"));
    CHECK_FALSE(schema.contains("maximum"));
  }
}

std::set<std::string> names_of(const Json& schema, const char* member) {
  std::set<std::string> names;
  const Json part = schema.value(member, Json::object());
  for (const auto& [key, value] : part.items()) {
    names.insert(part.is_array() ? value.get<std::string>() : key);
  }
  return names;
}

TEST_CASE("a schema is closed and says only what was given", "[unit]") {
  CHECK(object_schema({}).dump() == R"({"type":"object","additionalProperties":false})");
  CHECK(object_schema({{"b", text_schema("why")}, {"a", list_schema(boolean_schema())}}, {"b"})
            .dump() ==
        R"({"type":"object","properties":{"b":{"type":"string","description":"why"},)"
        R"("a":{"type":"array","items":{"type":"boolean"}}},"required":["b"],)"
        R"("additionalProperties":false})");
  CHECK(integer_schema(1, 5, "how many").dump() ==
        R"({"type":"integer","minimum":1,"maximum":5,"description":"how many"})");
}

TEST_CASE("every client can read the schemas of every tool", "[unit]") {
  for (const ToolDescription& tool : tool_descriptions()) {
    INFO(tool.name);
    check_schema(tool.input_schema);
    check_schema(tool.output_schema);
    CHECK(tool.input_schema["type"] == "object");
    CHECK(tool.output_schema["type"] == "object");
  }
}

TEST_CASE("the tools have names that every client takes, each once", "[unit]") {
  std::set<std::string> names;
  for (const ToolDescription& tool : tool_descriptions()) {
    INFO(tool.name);
    CHECK(names.insert(tool.name).second);
    CHECK_FALSE(tool.name.empty());
    CHECK(tool.name.size() <= 40);
    CHECK(tool.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    CHECK(("mcp__agentlock-browser__" + tool.name).size() <= 60);
    CHECK_FALSE(tool.title.empty());
    CHECK_FALSE(tool.description.empty());
  }
  CHECK(names ==
        std::set<std::string>{"navigate", "snapshot", "read_text", "click", "type", "back"});
}

TEST_CASE("an element is named by an id and in no other way, and no tool runs a script", "[unit]") {
  const std::map<std::string, std::set<std::string>> arguments = {
      {"navigate", {"url", "link_id"}},       {"snapshot", {"filter", "max_elements", "cursor"}},
      {"read_text", {"max_chars", "cursor"}}, {"click", {"element_id"}},
      {"type", {"element_id", "value"}},      {"back", {}},
  };
  const std::map<std::string, std::set<std::string>> required = {{"click", {"element_id"}},
                                                                 {"type", {"element_id", "value"}}};
  for (const ToolDescription& tool : tool_descriptions()) {
    INFO(tool.name);
    CHECK(names_of(tool.input_schema, "properties") == arguments.at(tool.name));
    const auto needed = required.find(tool.name);
    CHECK(names_of(tool.input_schema, "required") ==
          (needed == required.end() ? std::set<std::string>() : needed->second));
  }
}

TEST_CASE("a result says at least what its tool promises", "[unit]") {
  for (const ToolDescription& tool : tool_descriptions()) {
    INFO(tool.name);
    const auto has = names_of(tool.output_schema, "properties");
    const auto promised = names_of(tool.output_schema, "required");
    for (const char* name : {"origin", "url"}) CHECK(promised.contains(name));
    const bool reads = tool.name == "snapshot" || tool.name == "read_text";
    CHECK(promised.contains("ok") == !reads);
    CHECK(has.contains("blocked") == !reads);
    CHECK(has.contains("error") == !reads);
    CHECK(has.contains("next_cursor") == reads);
    CHECK(has.contains("gate") ==
          (tool.name == "navigate" || tool.name == "type" || tool.name == "back"));
  }
}

TEST_CASE("a tool's hints tell the truth", "[unit]") {
  for (const ToolDescription& tool : tool_descriptions()) {
    INFO(tool.name);
    const bool reads = tool.name == "snapshot" || tool.name == "read_text";
    CHECK(tool.annotations.at("readOnlyHint") == reads);
    CHECK(tool.annotations.at("openWorldHint") == true);
    if (!reads) {
      CHECK(tool.annotations.at("destructiveHint") ==
            (tool.name == "click" || tool.name == "type"));
      CHECK(tool.annotations.at("idempotentHint") == (tool.name == "type"));
    }
    for (const auto& [name, value] : tool.annotations.items()) CHECK(value.is_boolean());
  }
}

}  // namespace
}  // namespace agentlock::tools
