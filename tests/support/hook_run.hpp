#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/demo_process.hpp"

namespace agentlock::test {

/// A run of `agentlock-browser hook user-prompt`, the real binary, started by this
/// process as a client would start it: so the test is the client of both the hook and
/// the servers that it starts itself.
struct HookRun {
  std::filesystem::path home;
  cli::demo::Environment environment = {};  ///< beside the six of every client
  /// A program and its arguments that start the hook, in place of the test itself.
  std::vector<std::string> started_by = {};
  bool close_input = true;

  /// Throws if it does not end within half a minute.
  cli::demo::Finished with_input(const std::string& input) const;
  /// With what Claude Code says of a prompt; its record of the session is there, and empty.
  cli::demo::Finished prompt(const std::string& text, const std::string& session = "s1") const;
};

/// The path of the binary under test.
std::string binary_under_test();

}  // namespace agentlock::test
