#include "cli/check_urls.hpp"

#include <istream>
#include <ostream>
#include <streambuf>
#include <string>

#include <nlohmann/json.hpp>

#include "agentlock/url.hpp"
#include "base/encoding.hpp"
#include "base/json.hpp"

namespace agentlock::cli {
namespace {

/// Far above any URL that the gate accepts; keeps memory bounded.
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20U;

enum class Line { kWhole, kTooLong, kEnd };

/// Reads a line without its newline. Of one that is too long, `line` holds the start.
Line read_line(std::istream& input, std::string& line) {
  using Traits = std::istream::traits_type;
  line.clear();
  bool is_too_long = false;
  std::streambuf* source = input.rdbuf();
  for (auto c = source->sbumpc();; c = source->sbumpc()) {
    if (Traits::eq_int_type(c, Traits::eof())) {
      if (line.empty()) return Line::kEnd;
      break;
    }
    const char byte = Traits::to_char_type(c);
    if (byte == '\n') break;
    if (line.size() < kMaxLineBytes) {
      line += byte;
    } else {
      is_too_long = true;
    }
  }
  return is_too_long ? Line::kTooLong : Line::kWhole;
}

}  // namespace

int check_urls(std::istream& input, std::ostream& output) {
  std::string line;
  for (Line kind = read_line(input, line); kind != Line::kEnd; kind = read_line(input, line)) {
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
