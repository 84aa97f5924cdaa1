#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/demo_client.hpp"
#include "support/log_reader.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_site.hpp"

namespace agentlock::test {

/// The program to be tested.
std::string server_binary();

/// `agentlock-browser verify` with these arguments, to its end.
Result<cli::demo::Finished> run_verify(std::vector<std::string> arguments);

/// How a test wants its server.
struct ServerOptions {
  std::string operator_text;
  /// Origins, comma separated.
  std::string allowlist;
  /// Empty: the default.
  std::string lineage_mode;
  std::string hop_policy;
  cli::demo::Environment environment;
  std::vector<std::string> arguments;
  /// A program, with arguments, that becomes the server: unshare, ...
  std::vector<std::string> launcher;
};

/// Runs the real binary to its end with this home folder, as a person would.
Result<cli::demo::Finished> run_binary(const std::filesystem::path& home,
                                       std::vector<std::string> arguments);

/// The real binary, started as an MCP client would start it, in a home folder of its
/// own, with a log that the test can read. Killed with its owner.
class ServerUnderTest {
 public:
  ServerUnderTest(const TestSite& site, const ServerOptions& options);

  cli::demo::McpClient& client() { return *client_; }
  /// The result of a tool call that must be neither a protocol nor a tool error;
  /// throws with the reason otherwise.
  Json call(std::string tool, Json arguments = Json::object());

  const LogReader& log() const { return log_; }
  const std::filesystem::path& home() const { return home_.path(); }
  /// Where the public key of this server's log stands.
  std::string public_key() const;
  /// What `agentlock-browser verify` says of the log, once the server has ended.
  Result<cli::demo::Finished> verify() const;

 private:
  ScratchFolder home_;
  LogReader log_;
  std::unique_ptr<cli::demo::McpClient> client_;
};

}  // namespace agentlock::test
