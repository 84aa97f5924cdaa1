#include <filesystem>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include "mcp/stdio_server.hpp"
#include "support/wire_conversation.hpp"
#include "unit/mcp/model_tools.hpp"
#include "unit/mcp/pipe_client.hpp"

// Plays the conversations of tests/wire to a server with the model's tools.

namespace agentlock::mcp {
namespace {

using wire::Step;
using wire::StepKind;

Task<Json> receive_message(PipeClient& client) {
  const auto line = co_await client.receive();
  if (!line) throw std::runtime_error("the server closed its output");
  auto message = parse_json(*line);
  if (!message) throw std::runtime_error("not a message: " + line->substr(0, 200));
  co_return std::move(*message);
}

void report(const Step& step, const std::string& got) {
  INFO("line " << step.line << "\nexpected: " << step.text << "\ngot:      " << got);
  FAIL("the server said something else");
}

Task<void> play(std::vector<Step> steps, PipeClient& client) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.kind == StepKind::kSend) {
      co_await client.send(step.text);
      if (step.is_piece) co_await client.until_read();
    } else if (step.kind == StepKind::kCloseInput) {
      client.close_input();
    } else if (step.kind == StepKind::kExpectEnd) {
      const auto line = co_await client.receive();
      if (line) report(step, *line);
    } else if (step.kind == StepKind::kExpect) {
      const Json message = co_await receive_message(client);
      if (!wire::matches(Json::parse(step.text), message)) report(step, to_line(message));
    } else {
      std::vector<Json> expected;
      for (; i < steps.size() && steps[i].kind == StepKind::kExpectInAnyOrder; ++i) {
        expected.push_back(Json::parse(steps[i].text));
      }
      --i;
      while (!expected.empty()) {
        const Json message = co_await receive_message(client);
        const auto found = std::find_if(expected.begin(), expected.end(), [&](const Json& pattern) {
          return wire::matches(pattern, message);
        });
        if (found == expected.end()) report(step, to_line(message));
        expected.erase(found);
      }
    }
  }
}

std::vector<std::filesystem::path> conversations() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(AGENTLOCK_SOURCE "/tests/wire")) {
    if (entry.path().extension() == ".ndjson") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("every conversation on the wire goes as it is written", "[wire]") {
  for (const std::filesystem::path& file : conversations()) {
    DYNAMIC_SECTION(file.stem().string()) {
      boost::asio::io_context loop;
      ModelTools tools(loop.get_executor());
      PipeClient client(loop.get_executor());
      StdioServer server(loop.get_executor(), tools, {"model", "1.2.3"}, client.streams());
      std::exception_ptr failure;
      bool served = false;
      boost::asio::co_spawn(loop, server.run(), [&](std::exception_ptr) { served = true; });
      boost::asio::co_spawn(loop, play(wire::read_conversation(file), client),
                            [&](std::exception_ptr thrown) {
                              failure = std::move(thrown);
                              server.stop();
                            });
      // Only a conversation that hangs comes near this, and then it is ended.
      loop.run_for(std::chrono::seconds(60));
      server.stop();
      client.close_output();
      loop.run_for(std::chrono::seconds(60));
      if (failure) std::rethrow_exception(failure);
      CHECK(served);
    }
  }
}

}  // namespace
}  // namespace agentlock::mcp
