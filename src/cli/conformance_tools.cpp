#include "cli/conformance_tools.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "tools/schema.hpp"

// The names, and what each tool must do, are the suite's (mcp.md, section 2). A tool is
// here only for what this server can do at all: it sends no images, sounds or embedded
// resources, and asks for no sampling and no roots.

namespace agentlock::cli {
namespace {

using tools::Outcome;

struct Fixture {
  std::string_view name;
  std::string_view description;
  Json (*input_schema)();
  Outcome (*call)();
};

Json no_arguments() { return tools::object_schema({}); }

// The keywords that the suite looks for in tools/list: a schema must come through as
// it was declared. The server's own tools keep to simpler ones.
Json every_keyword() {
  return Json::parse(R"json({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
      "contactMethod": {"type": "string", "enum": ["phone", "email"]},
      "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
  })json");
}

Outcome say(std::string_view text) { return Outcome::of({{"text", std::string(text)}}); }

constexpr std::array kFixtures = {
    Fixture{"test_simple_text", "Answers with a text.", no_arguments,
            [] { return say("This is a simple text response for testing."); }},
    Fixture{"test_error_handling", "Fails.", no_arguments,
            [] { return Outcome::failed("This tool intentionally returns an error for testing"); }},
    Fixture{"test_logging_tool", "Sends no log message, since none may be sent unasked.",
            no_arguments, [] { return say("Nothing was logged to the client."); }},
    Fixture{"json_schema_2020_12_tool", "Has a schema with the keywords of 2020-12.", every_keyword,
            [] { return say("The schema is what this tool is about."); }},
};

const Fixture* find_fixture(std::string_view name) {
  const auto found = std::find_if(kFixtures.begin(), kFixtures.end(),
                                  [&](const Fixture& fixture) { return fixture.name == name; });
  return found == kFixtures.end() ? nullptr : &*found;
}

tools::ToolDescription described(const Fixture& fixture) {
  tools::ToolDescription description;
  description.name = fixture.name;
  description.title = "Conformance fixture";
  description.description = fixture.description;
  description.input_schema = fixture.input_schema();
  description.output_schema = tools::object_schema({{"text", tools::text_schema()}}, {"text"});
  description.annotations = {{"readOnlyHint", true}, {"openWorldHint", false}};
  return description;
}

}  // namespace

ConformanceTools::ConformanceTools(tools::ToolTable& real)
    : real_(real), descriptions_(real.tools()) {
  for (const Fixture& fixture : kFixtures) descriptions_.push_back(described(fixture));
}

std::string ConformanceTools::instructions() const {
  return "TEST MODE: the conformance suite's fixture tools are on (--conformance-fixtures). They "
         "do "
         "nothing for a user. " +
         real_.instructions();
}

Task<tools::Outcome> ConformanceTools::call(std::string name, Json arguments,
                                            tools::CallContext context) {
  if (const Fixture* fixture = find_fixture(name)) co_return fixture->call();
  co_return co_await real_.call(std::move(name), std::move(arguments), context);
}

}  // namespace agentlock::cli
