#include <csignal>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/demo_client.hpp"

using namespace std::chrono_literals;

// No MCP server is needed to test the client. `cat` sends every line back, so that
// a request of ours comes back as a request to us, and our scripted answer to it
// comes back as the reply to the first.

namespace agentlock::cli::demo {
namespace {

std::unique_ptr<McpClient> client_of(const std::string& program,
                                     std::vector<std::string> arguments = {}) {
  Launch launch;
  launch.program = program;
  launch.arguments = std::move(arguments);
  launch.environment = minimal_environment("/nonexistent");
  auto client = McpClient::start(launch);
  REQUIRE(client);
  return std::move(*client);
}

std::unique_ptr<McpClient> shell(const std::string& script) {
  return client_of("/bin/sh", {"-c", script});
}

}  // namespace

TEST_CASE("a request is answered under its own id, also when two are under way") {
  const auto client = client_of("/bin/cat");
  client->answer_as_human([](const std::string& method, const Json& params) {
    return std::optional<Json>(Json{{"method", method}, {"n", params.at("n")}});
  });
  const auto first = client->send_request("a", {{"n", 1}});
  const auto second = client->send_request("b", {{"n", 2}});
  REQUIRE(first);
  REQUIRE(second);
  const auto later = client->wait(*second);
  const auto earlier = client->wait(*first);
  REQUIRE(later);
  REQUIRE(earlier);
  CHECK(later->result == Json{{"method", "b"}, {"n", 2}});
  CHECK(earlier->result == Json{{"method", "a"}, {"n", 1}});
}

TEST_CASE("a scripted person's answers are marked in the transcript and nothing else is") {
  const auto client = client_of("/bin/cat");
  client->answer_as_human(
      [](const std::string&, const Json&) { return std::optional<Json>(Json::object()); });
  REQUIRE(client->request("elicitation/create"));
  std::size_t marked = 0;
  for (const TranscriptLine& line : client->transcript()) {
    if (line.tag.empty()) continue;
    ++marked;
    CHECK(line.tag == "SCRIPTED_HUMAN");
    CHECK(line.way == TranscriptLine::Way::kSent);
    CHECK(line.text.find("\"result\"") != std::string::npos);
  }
  CHECK(marked == 1);
}

TEST_CASE("without a person a request of the server is refused, and silence stays silence") {
  const auto client = client_of("/bin/cat");
  const auto refused = client->request("elicitation/create");
  REQUIRE(refused);
  CHECK(refused->error.at("code") == -32601);
  client->answer_as_human([](const std::string&, const Json&) { return std::optional<Json>(); });
  const auto silent = client->request("elicitation/create", Json::object(), after(0ms));
  REQUIRE_FALSE(silent);
  CHECK(silent.error().code() == ErrorCode::kTimeout);
}

TEST_CASE("the handshake opens with initialize and is confirmed by the notification") {
  const auto client = client_of("/bin/cat");
  client->answer_as_human([](const std::string&, const Json& params) {
    return std::optional<Json>(Json{{"protocolVersion", params.at("protocolVersion")}});
  });
  const auto opened = client->handshake("2025-06-18", {{"elicitation", Json::object()}});
  REQUIRE(opened);
  CHECK(opened->at("protocolVersion") == "2025-06-18");
  const auto confirmed = client->wait_for_message(
      [](const Json& message) { return message.at("method") == "notifications/initialized"; });
  REQUIRE(confirmed);
  CHECK_FALSE(confirmed->contains("id"));
}

TEST_CASE("in the stateless revision every request carries the envelope beside its own meta") {
  const auto client = client_of("/bin/cat");
  Json seen;
  client->answer_as_human([&](const std::string&, const Json& params) {
    seen = params.at("_meta");
    return std::optional<Json>(Json::object());
  });
  client->use_envelope();
  REQUIRE(client->request("tools/list", {{"_meta", {{"progressToken", 0}}}}));
  CHECK(seen.at("progressToken") == 0);
  CHECK(seen.at("io.modelcontextprotocol/protocolVersion") == "2026-07-28");
  CHECK(seen.at("io.modelcontextprotocol/clientCapabilities") == Json::object());
  CHECK(seen.contains("io.modelcontextprotocol/clientInfo"));
}

TEST_CASE("a tool's result is taken apart, and a protocol error is an error") {
  const auto client = client_of("/bin/cat");
  client->answer_as_human([](const std::string&, const Json& params) {
    return std::optional<Json>(
        Json{{"content", Json::array({Json{{"type", "text"}, {"text", "hello"}}})},
             {"structuredContent", {{"name", params.at("name")}}},
             {"isError", true}});
  });
  const auto result = client->call_tool("navigate", {{"url", "http://fixture.test/"}});
  REQUIRE(result);
  CHECK(result->text == "hello");
  CHECK(result->structured.at("name") == "navigate");
  CHECK(result->is_error);
  client->answer_as_human({});
  const auto unknown = client->call_tool("navigate");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code() == ErrorCode::kProtocol);
}

TEST_CASE("megabytes go both ways although neither pipe holds them") {
  const auto client = client_of("/bin/cat");
  client->answer_as_human([](const std::string&, const Json& params) {
    return std::optional<Json>(Json{{"length", params.at("text").get<std::string>().size()}});
  });
  const auto reply = client->request("big", {{"text", std::string(4UL << 20U, 'x')}});
  REQUIRE(reply);
  CHECK(reply->result.at("length") == (4UL << 20U));
}

TEST_CASE("a line that is no message is noticed") {
  const auto client =
      shell("echo 'Listening on port 1'; echo '{\"jsonrpc\":\"2.0\",\"method\":\"m\"}'");
  REQUIRE(client->wait_for_message([](const Json&) { return true; }));
  CHECK(client->stray_lines() == std::vector<std::string>{"Listening on port 1"});
  CHECK(client->received("Listening"));
  CHECK_FALSE(client->received("Speaking"));
}

TEST_CASE("standard error is read and only its end is kept") {
  const auto client =
      shell("head -c 1000000 /dev/zero | tr '\\0' x >&2; printf 'last words' >&2; exit 3");
  const auto status = client->wait_exit();
  REQUIRE(status);
  CHECK(*status == ExitStatus{3, 0});
  CHECK(client->errors().size() == (256UL << 10U));
  CHECK(client->errors().ends_with("xlast words"));
}

TEST_CASE("a server that dies is reported at once, with its last words") {
  const auto client = shell("read line; echo 'no chromium here' >&2; exit 1");
  const auto reply = client->request("tools/list");
  REQUIRE_FALSE(reply);
  CHECK(reply.error().code() == ErrorCode::kIo);
  CHECK(reply.error().describe().find("no chromium here") != std::string::npos);
}

TEST_CASE("end of input, a signal and a kill are told apart by how the server ended") {
  const auto by_eof = client_of("/bin/cat");
  by_eof->close_stdin();
  CHECK(by_eof->wait_exit().value() == ExitStatus{0, 0});
  CHECK_FALSE(by_eof->notify("late"));

  const auto by_term = client_of("/bin/cat");
  by_term->signal(SIGTERM);
  CHECK(by_term->wait_exit().value() == ExitStatus{-1, SIGTERM});

  const auto by_kill = client_of("/bin/cat");
  by_kill->signal(SIGKILL);
  CHECK(by_kill->wait_exit().value() == ExitStatus{-1, SIGKILL});
}

TEST_CASE("the server gets the environment that it was given and nothing else") {
  Launch launch;
  launch.program = "/usr/bin/env";
  launch.environment = {{"HOME", "/h"}, {"EXTRA", "1"}};
  const auto finished = run_to_end(launch, after(10s));
  REQUIRE(finished);
  CHECK(finished->output == "HOME=/h\nEXTRA=1\n");
  CHECK(finished->status == ExitStatus{0, 0});
}

}  // namespace agentlock::cli::demo
