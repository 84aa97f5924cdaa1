#include "cli/reaper.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "browser/reaper.hpp"

namespace agentlock::cli {

int reaper_main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + (argc < 2 ? argc : 2), argv + argc);
    return browser::run_reaper(browser::reaper_plan(arguments));
  } catch (const std::exception& error) {
    // It ends here, and the browser with it, by its death signal.
    std::fprintf(stderr, "agentlock-browser reaper: %s\n", error.what());
    return 1;
  }
}

}  // namespace agentlock::cli
