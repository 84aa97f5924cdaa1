#include "cli/conformance_tools.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>

#include "tools/schema.hpp"

// The names, and what each tool must do, are the suite's. A tool is here only for what
// this server can do at all: it sends no images, sounds or embedded resources, asks for
// no sampling and no roots, and its one form has a single choice.

namespace agentlock::cli {
namespace {

using tools::CallContext;
using tools::Outcome;

struct Fixture {
  std::string_view name;
  std::string_view description;
  Json (*input_schema)();
  Task<Outcome> (*call)(Json arguments, CallContext context);
};

Json no_arguments() { return tools::object_schema({}); }

Json a_message() { return tools::object_schema({{"message", tools::text_schema()}}, {"message"}); }

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

Task<Outcome> simple_text(Json, CallContext) {
  co_return say("This is a simple text response for testing.");
}

Task<Outcome> error_handling(Json, CallContext) {
  co_return Outcome::failed("This tool intentionally returns an error for testing");
}

Task<Outcome> only_a_text(Json, CallContext) { co_return say("Nothing else was done."); }

// Progress is told by the second, and the suite wants three of it.
Task<Outcome> three_seconds(Json, CallContext) {
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
  timer.expires_after(std::chrono::milliseconds(3500));
  co_await timer.async_wait(boost::asio::use_awaitable);
  co_return say("The work is done.");
}

Task<Outcome> ask(CallContext context, std::string key, std::string message) {
  if (context.asker == nullptr) {
    co_return Outcome::failed("The client did not declare form elicitation, so nobody is asked.");
  }
  tools::Question question;
  question.key = std::move(key);
  question.message = std::move(message);
  question.choices = {{"yes", "Yes"}};
  const tools::AskReply reply =
      co_await context.asker->ask(std::move(question), after(std::chrono::seconds(20)));
  if (!reply.result) co_return Outcome::failed(reply.failure);
  co_return say("User response: " + to_line(*reply.result));
}

Task<Outcome> ask_once(Json arguments, CallContext context) {
  std::string message = string_member(arguments, "message");
  if (message.empty()) message = "What is your name?";
  auto asked = ask(std::move(context), "user_name", std::move(message));
  co_return co_await std::move(asked);
}

Task<Outcome> ask_twice(Json, CallContext context) {
  auto first = ask(context, "step1", "Step 1: What is your name?");
  Outcome outcome = co_await std::move(first);
  if (outcome.is_error) co_return outcome;
  auto second = ask(std::move(context), "step2", "Step 2: What is your favorite color?");
  co_return co_await std::move(second);
}

constexpr std::array kFixtures = {
    Fixture{"test_simple_text", "Answers with a text.", no_arguments, simple_text},
    Fixture{"test_error_handling", "Fails.", no_arguments, error_handling},
    Fixture{"test_logging_tool", "Logs nothing to a client that did not ask for it.", no_arguments,
            only_a_text},
    Fixture{"json_schema_2020_12_tool", "Has a schema with the keywords of 2020-12.", every_keyword,
            only_a_text},
    Fixture{"test_tool_with_progress", "Takes three seconds and a half.", no_arguments,
            three_seconds},
    Fixture{"test_elicitation", "Asks a person.", a_message, ask_once},
    Fixture{"test_streaming_elicitation", "Asks a person.", no_arguments, ask_once},
    Fixture{"test_input_required_result_elicitation", "Asks a person.", no_arguments, ask_once},
    Fixture{"test_input_required_result_request_state", "Asks a person.", no_arguments, ask_once},
    Fixture{"test_input_required_result_tampered_state", "Asks a person.", no_arguments, ask_once},
    Fixture{"test_input_required_result_multi_round", "Asks a person twice.", no_arguments,
            ask_twice},
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
  if (const Fixture* fixture = find_fixture(name)) {
    auto called = fixture->call(std::move(arguments), std::move(context));
    co_return co_await std::move(called);
  }
  auto called = real_.call(std::move(name), std::move(arguments), std::move(context));
  co_return co_await std::move(called);
}

}  // namespace agentlock::cli
