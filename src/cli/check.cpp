#include "cli/check.hpp"

#include <iostream>
#include <optional>
#include <string_view>

#include "agentlock/policy.hpp"
#include "cli/check_rows.hpp"
#include "cli/check_urls.hpp"
#include "cli/check_vectors.hpp"

namespace agentlock::cli {
namespace {

struct Options {
  std::string format;
  std::optional<std::string> mode;
};

// Each as `--name value` or `--name=value`; nothing for anything else.
std::optional<Options> parse(std::span<const std::string> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view name = arguments[i];
    std::string value;
    if (const std::size_t equals = name.find('='); equals != name.npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    }
    if (name == "--format") {
      options.format = value;
    } else if (name == "--mode") {
      options.mode = value;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace

int check_command(std::span<const std::string> arguments) {
  std::ios::sync_with_stdio(false);
  const auto options = parse(arguments);
  if (options && options->format == "rows") {
    const auto mode = lineage_mode_of(options->mode.value_or("closed"));
    if (mode) return check_rows(std::cin, std::cout, *mode);
  } else if (options && !options->mode) {
    if (options->format == "vectors") return check_vectors(std::cin, std::cout);
    if (options->format == "urls") return check_urls(std::cin, std::cout);
  }
  std::cerr
      << "usage: agentlock-browser check --format vectors|urls < lines\n"
         "       agentlock-browser check --format rows [--mode agentlock|closed|require] < lines\n";
  return 2;
}

}  // namespace agentlock::cli
