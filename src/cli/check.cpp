#include "cli/check.hpp"

#include <iostream>

#include "cli/check_urls.hpp"
#include "cli/check_vectors.hpp"

namespace agentlock::cli {

int check_command(std::span<const std::string> arguments) {
  std::string format;
  if (arguments.size() == 2 && arguments[0] == "--format") format = arguments[1];
  if (arguments.size() == 1 && arguments[0].starts_with("--format=")) {
    format = arguments[0].substr(9);
  }
  std::ios::sync_with_stdio(false);
  if (format == "vectors") return check_vectors(std::cin, std::cout);
  if (format == "urls") return check_urls(std::cin, std::cout);
  std::cerr << "usage: agentlock-browser check --format vectors|urls < lines\n";
  return 2;
}

}  // namespace agentlock::cli
