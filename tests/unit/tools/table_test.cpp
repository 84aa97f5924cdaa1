#include "tools/table.hpp"

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tools/reading.hpp"
#include "unit/base/captured_stderr.hpp"
#include "unit/tools/model_session.hpp"

namespace asio = boost::asio;

namespace agentlock::tools {
namespace {

/// The tools, with no Chromium to start.
struct World {
  static config::Config configuration() {
    config::Config config;
    config.chromium_path = "/nonexistent/chromium";
    config.operator_text = "Open https://a.test/ please.";
    return config;
  }

  Outcome call(std::string name, std::string_view arguments) {
    std::optional<Outcome> outcome;
    asio::co_spawn(io, table.call(std::move(name), *parse_json(std::string(arguments)), {}),
                   [&outcome](std::exception_ptr failure, Outcome result) {
                     if (!failure) outcome = std::move(result);
                   });
    io.restart();
    io.run();
    REQUIRE(outcome);
    return *outcome;
  }

  agentlock::test::CapturedStderr captured;
  asio::io_context io;
  test::ModelSession session;
  Toolbox box{io.get_executor(), configuration(), session.setup()};
  Table table{box};
};

TEST_CASE("arguments that break the schema are an error that says what to do, and start nothing",
          "[unit]") {
  const std::pair<const char*, const char*> cases[] = {
      {"navigate", "{}"},
      {"navigate", R"({"url":"https://a.test/","link_id":"p1-e1"})"},
      {"navigate", R"({"url":5})"},
      {"navigate", R"({"url":"https://a.test/","confirm":"yes"})"},
      {"navigate", "[]"},
      {"snapshot", R"({"selector":"#a"})"},
      {"snapshot", R"({"max_elements":0})"},
      {"snapshot", R"({"max_elements":"5"})"},
      {"read_text", R"({"max_chars":-1})"},
      {"read_text", R"({"filter":"x"})"},
      {"click", "{}"},
      {"click", R"({"element_id":5})"},
      {"click", R"({"selector":"#a"})"},
      {"type", R"({"element_id":"p1-e1"})"},
      {"type", R"({"value":"x"})"},
      {"back", R"({"steps":2})"},
      {"back", "null"},
  };
  World w;
  for (const auto& [name, arguments] : cases) {
    INFO(name << " " << arguments);
    const Outcome outcome = w.call(name, arguments);
    CHECK(outcome.is_error);
    CHECK_FALSE(outcome.error.empty());
    CHECK(outcome.structured.is_null());
    CHECK(outcome.error.find("chromium") == std::string::npos);
  }
  CHECK_FALSE(w.box.driver.running());
  CHECK(w.session.disk.bytes.empty());
}

TEST_CASE("a Chromium that can't be started is an error that names it, call after call", "[unit]") {
  World w;
  const std::pair<const char*, const char*> cases[] = {
      {"navigate", R"({"url":"https://a.test/"})"},
      {"snapshot", "{}"},
      {"read_text", "{}"},
      {"click", R"({"element_id":"p1-e1"})"},
      {"type", R"({"element_id":"p1-e1","value":"x"})"},
      {"back", "{}"}};
  for (const auto& [name, arguments] : cases) {
    INFO(name);
    const Outcome outcome = w.call(name, arguments);
    CHECK(outcome.is_error);
    CHECK(outcome.error.find("/nonexistent/chromium") != std::string::npos);
    CHECK(outcome.structured.is_null());
  }
  // Nothing was decided, and nothing may be reached.
  CHECK(w.session.lines("decision").empty());
  CHECK_FALSE(w.box.top_level.reached(*Origin::parse_entry("https://a.test")));
}

TEST_CASE("the table lists the tools that it serves", "[unit]") {
  World w;
  CHECK(w.table.tools().size() == tool_descriptions().size());
  CHECK_FALSE(w.table.instructions().empty());
}

TEST_CASE("a cursor is good for the page load that it was given in", "[unit]") {
  World w;
  CHECK(read_cursor(w.box, std::nullopt).value() == "");
  w.box.ids.start_page_load();
  CHECK(read_cursor(w.box, "p1-5").value() == "5");
  CHECK(read_cursor(w.box, "p1-5.17").value() == "5.17");
  for (const char* cursor :
       {"", "5", "p0-5", "p2-5", "p11-5", "p1-5 ", "p1-5;x", "p1-\"x", "p1-e5", "p1--5", "P1-5"}) {
    INFO(cursor);
    const auto read = read_cursor(w.box, std::string(cursor));
    REQUIRE_FALSE(read);
    CHECK(read.error().code() == ErrorCode::kStale);
  }
  CHECK_FALSE(read_cursor(w.box, "p1-" + std::string(100, '5')));
  w.box.ids.start_page_load();
  CHECK_FALSE(read_cursor(w.box, "p1-5"));
}

}  // namespace
}  // namespace agentlock::tools
