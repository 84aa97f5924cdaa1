#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "cli/check.hpp"
#include "cli/demo.hpp"
#include "cli/hook.hpp"
#include "cli/reaper.hpp"
#include "cli/report.hpp"
#include "cli/serve.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verify.hpp"

namespace {

constexpr std::string_view kHelp =
    R"(agentlock-browser: a browser for AI agents that knows where each value came from.

  agentlock-browser [flags]          MCP server on standard input and output
  agentlock-browser verify LOG       check a decision log offline
  agentlock-browser report LOG -o FILE
                                     make a page of it that a person can read
  agentlock-browser check --format vectors|urls|rows [--mode M]
                                     judge lines of standard input offline
  agentlock-browser hook user-prompt
                                     hand a prompt of Claude Code to its servers
  agentlock-browser demo             see it work, on pages of its own
  agentlock-browser --print-config [flags]
                                     what is in force
  agentlock-browser --version, --help

Flags of the server (also by environment and file, see docs/configuration.md):
  --config FILE  --allowlist ORIGIN,...  --operator-text TEXT  --log-path FILE
  --hop-policy usual|strict  --chromium-path FILE  ...
)";

int run(int argc, char** argv) {
  using namespace agentlock;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string command = arguments.empty() ? "" : arguments[0];
  const auto rest = std::span(arguments).subspan(arguments.empty() ? 0 : 1);
  if (command == "reaper") return cli::reaper_main(argc, argv);
  if (const char* level = std::getenv("AGENTLOCK_BROWSER_LOG_LEVEL")) {
    log::set_level(log::level_of(level));
  }
  if (command == "verify") return cli::verify_command(rest, std::cout, std::cerr);
  if (command == "report") return cli::report_command(rest, std::cout, std::cerr);
  if (command == "hook") return cli::hook_command(rest);
  if (command == "check") return cli::check_command(rest);
  if (command == "demo") return cli::demo_command(rest);
  if (command == "--print-config") return cli::print_config_command(rest);
  if (command == "--version") {
    std::cout << "agentlock-browser " << AGENTLOCK_VERSION << '\n';
    return 0;
  }
  if (command == "--help" || command == "-h" || command == "help") {
    std::cout << kHelp;
    return 0;
  }
  if (!command.empty() && !command.starts_with("--")) {
    std::cerr << "agentlock-browser: there is no command \"" << cli::printable_ascii(command)
              << "\"; see --help\n";
    return 2;
  }
  return cli::serve_command(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "agentlock-browser: " << agentlock::cli::printable_ascii(error.what()) << '\n';
    return 1;
  }
}
