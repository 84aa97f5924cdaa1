#include "cli/check_urls.hpp"

#include <istream>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "agentlock/url.hpp"
#include "base/encoding.hpp"
#include "base/json.hpp"
#include "cli/check_lines.hpp"

namespace agentlock::cli {
namespace {

/// Far above any URL that the gate accepts; keeps memory bounded.
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20U;

}  // namespace

int check_urls(std::istream& input, std::ostream& output) {
  std::string line;
  for (Line kind = read_line(input, line, kMaxLineBytes); kind != Line::kEnd;
       kind = read_line(input, line, kMaxLineBytes)) {
    Json answer;
    if (kind == Line::kTooLong) {
      answer["input"] = std::string(utf8_prefix(line, 200)) + "...";
      answer["refused"] = "The line is longer than 1 MiB. Give a shorter URL.";
    } else {
      answer["input"] = line;
      if (const auto url = parse_navigable(line)) {
        answer["href"] = url->href();
        answer["origin"] = url->origin().serialize();
      } else {
        answer["refused"] = url.error().message();
      }
    }
    // ASCII, so that a hostile list can't steer a terminal (attacks.md A59).
    output << answer.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n';
  }
  output.flush();
  return output.good() ? 0 : 1;
}

}  // namespace agentlock::cli
