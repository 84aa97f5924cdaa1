#include "cdp/errors.hpp"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace agentlock::cdp {

TEST_CASE("Chromium's error answers are told apart by code and sentence", "[unit]") {
  struct Case {
    int code;
    const char* text;
    ErrorCode expected;
  };
  const Case cases[] = {
      {-32000, "Could not find node with given id", ErrorCode::kStale},
      {-32000, "No node found for given backend id", ErrorCode::kStale},
      {-32000, "Execution context was destroyed.", ErrorCode::kStale},
      {-32000, "Cannot find context with specified id", ErrorCode::kStale},
      {-32602, "Invalid InterceptionId.", ErrorCode::kStale},
      {-32000, "Could not compute content quads.", ErrorCode::kNotFound},
      {-32000, "Inspected target navigated or closed", ErrorCode::kTargetGone},
      {-32602, "No target with given id found", ErrorCode::kTargetGone},
      {-32001, "Session with given id not found.", ErrorCode::kTargetGone},
      {-32000, "Cannot navigate to invalid URL", ErrorCode::kInvalidArgument},
      {-32000, "CBOR: stack limit exceeded at position 9", ErrorCode::kLimit},
      {-32601, "'Page.foo' wasn't found", ErrorCode::kProtocol},
      {-32602, "Invalid parameters", ErrorCode::kInternal},
      {-32000, "never heard of", ErrorCode::kProtocol},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const Error error = to_error("X.y", Json{{"code", c.code}, {"message", c.text}});
    CHECK(error.code() == c.expected);
    CHECK(error.message().starts_with("X.y: "));
  }
}

TEST_CASE("an error answer of any shape is an error", "[unit]") {
  for (const char* text : {"null", "[]", "7", "{}", R"({"code":"x","message":[]})", R"("text")"}) {
    INFO(text);
    CHECK(to_error("X.y", Json::parse(text)).code() == ErrorCode::kProtocol);
  }
}

}  // namespace agentlock::cdp
