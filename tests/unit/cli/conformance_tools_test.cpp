#include "cli/conformance_tools.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace agentlock {
namespace {

/// A table of one tool, `real`, that answers with its arguments.
class OneTool final : public tools::ToolTable {
 public:
  OneTool() {
    tools::ToolDescription real;
    real.name = "real";
    tools_.push_back(std::move(real));
  }
  const std::vector<tools::ToolDescription>& tools() const override { return tools_; }
  std::string instructions() const override { return "What the real table says."; }
  Task<tools::Outcome> call(std::string, Json arguments, tools::CallContext) override {
    co_return tools::Outcome::of(std::move(arguments));
  }

 private:
  std::vector<tools::ToolDescription> tools_;
};

tools::Outcome call(tools::ToolTable& table, const std::string& name, Json arguments) {
  boost::asio::io_context context;
  std::optional<tools::Outcome> outcome;
  boost::asio::co_spawn(context, table.call(name, std::move(arguments), {}),
                        [&](std::exception_ptr failure, tools::Outcome result) {
                          if (failure) std::rethrow_exception(failure);
                          outcome = std::move(result);
                        });
  context.run();
  return outcome.value();
}

TEST_CASE("the conformance suite's tools stand behind the real ones, which still work", "[unit]") {
  OneTool real;
  cli::ConformanceTools table(real);
  REQUIRE(table.tools().size() > 1);
  CHECK(table.tools()[0].name == "real");
  CHECK(call(table, "real", {{"a", 1}}).structured == Json({{"a", 1}}));
  CHECK(call(table, "test_simple_text", Json::object()).structured.at("text") ==
        "This is a simple text response for testing.");
  const tools::Outcome failed = call(table, "test_error_handling", Json::object());
  CHECK(failed.is_error);
  CHECK(failed.error == "This tool intentionally returns an error for testing");
}

TEST_CASE("a fixture that asks says so where nobody can be asked", "[unit]") {
  OneTool real;
  cli::ConformanceTools table(real);
  CHECK(call(table, "test_elicitation", {{"message", "May I?"}}).is_error);
}

TEST_CASE("the instructions say first that the conformance suite's tools are on", "[unit]") {
  OneTool real;
  const std::string said = cli::ConformanceTools(real).instructions();
  CHECK(said.starts_with("TEST MODE"));
  CHECK(said.ends_with("What the real table says."));
}

}  // namespace
}  // namespace agentlock
