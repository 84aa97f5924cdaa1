#include "agentlock/result.hpp"

#include <string>

#include <catch2/catch.hpp>

namespace agentlock {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::kInvalidArgument, "the number is odd");
  return number / 2;
}

Result<int> quarter(int number) {
  AGENTLOCK_TRY(once, half(number));
  AGENTLOCK_TRY(twice, half(once));
  return twice;
}

TEST_CASE("a failure passed up keeps its code and tells what was being done", "[unit]") {
  const Result<int> failed =
      fail(fail(Error(ErrorCode::kTimeout, "no answer"), "measuring").value(), "clicking");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code() == ErrorCode::kTimeout);
  CHECK(failed.error().message() == "clicking");
  CHECK(failed.error().describe() == "clicking: measuring: no answer");
}

TEST_CASE("the first step that fails ends the function", "[unit]") {
  CHECK(quarter(8).value_or(0) == 2);
  REQUIRE_FALSE(quarter(6));
  CHECK(quarter(6).error().describe() == "the number is odd");
}

TEST_CASE("each kind of failure has a name of its own", "[unit]") {
  CHECK(to_string(ErrorCode::kStale) == "stale");
  CHECK(to_string(ErrorCode::kNotFound) == "not_found");
  CHECK(to_string(ErrorCode::kRefused) == "refused");
  CHECK(to_string(ErrorCode::kLimit) == "limit");
}

}  // namespace
}  // namespace agentlock
