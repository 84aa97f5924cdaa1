#include "support/server_under_test.hpp"

#include <cstdlib>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace agentlock::test {
namespace {

void set(cli::demo::Environment& environment, const char* name, const std::string& value) {
  if (!value.empty()) environment.emplace_back(name, value);
}

}  // namespace

// The build names the binary (AGENTLOCK_BINARY); the environment can name another,
// so that the same tests judge a release build.
std::string server_binary() {
  const char* other = std::getenv("AGENTLOCK_TEST_BINARY");
  return other != nullptr ? other : AGENTLOCK_BINARY;
}

Result<cli::demo::Finished> run_verify(std::vector<std::string> arguments) {
  cli::demo::Launch launch;
  launch.program = server_binary();
  launch.arguments = std::move(arguments);
  launch.arguments.insert(launch.arguments.begin(), "verify");
  launch.environment = cli::demo::minimal_environment("/nonexistent");
  return cli::demo::run_to_end(launch, after(std::chrono::seconds(30)));
}

ServerUnderTest::ServerUnderTest(const TestSite& site, const ServerOptions& options)
    : log_(home_.file("decisions.jsonl")) {
  cli::demo::Launch launch;
  std::vector<std::string> command = options.launcher;
  command.push_back(server_binary());
  for (const auto& part : {site.arguments(), options.arguments}) {
    command.insert(command.end(), part.begin(), part.end());
  }
  launch.program = command.front();
  launch.arguments.assign(command.begin() + 1, command.end());
  launch.environment = cli::demo::minimal_environment(home_.path());
  set(launch.environment, "AGENTLOCK_BROWSER_LOG", log_.path());
  set(launch.environment, "AGENTLOCK_BROWSER_OPERATOR_TEXT", options.operator_text);
  set(launch.environment, "AGENTLOCK_BROWSER_ALLOWLIST", options.allowlist);
  set(launch.environment, "AGENTLOCK_BROWSER_LINEAGE_MODE", options.lineage_mode);
  set(launch.environment, "AGENTLOCK_BROWSER_HOP_POLICY", options.hop_policy);
  launch.environment.insert(launch.environment.end(), options.environment.begin(),
                            options.environment.end());
  Result<std::unique_ptr<cli::demo::McpClient>> client = cli::demo::McpClient::start(launch);
  if (!client) throw std::runtime_error(client.error().describe());
  client_ = std::move(*client);
}

Json ServerUnderTest::call(std::string tool, Json arguments) {
  Result<cli::demo::ToolResult> result =
      client_->call_tool(tool, std::move(arguments), after(std::chrono::seconds(60)));
  if (!result) throw std::runtime_error(tool + ": " + result.error().describe());
  if (result->is_error) throw std::runtime_error(tool + ": " + result->text);
  return std::move(result->structured);
}

std::string ServerUnderTest::public_key() const {
  return home_.path() / ".local/state/agentlock-browser/key.pub";
}

Result<cli::demo::Finished> run_binary(const std::filesystem::path& home,
                                       std::vector<std::string> arguments) {
  cli::demo::Launch launch;
  launch.program = server_binary();
  launch.arguments = std::move(arguments);
  launch.environment = cli::demo::minimal_environment(home);
  return cli::demo::run_to_end(launch, after(std::chrono::seconds(30)));
}

Result<cli::demo::Finished> ServerUnderTest::verify() const {
  return run_binary(home_.path(), {"verify", log_.path(), "--key", public_key()});
}

}  // namespace agentlock::test
