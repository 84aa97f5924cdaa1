#include "cli/check_lines.hpp"

#include <streambuf>

namespace agentlock::cli {

Line read_line(std::istream& input, std::string& line, std::size_t max) {
  using Traits = std::istream::traits_type;
  line.clear();
  bool is_too_long = false;
  std::streambuf* source = input.rdbuf();
  auto c = source->sbumpc();
  if (Traits::eq_int_type(c, Traits::eof())) return Line::kEnd;
  for (; !Traits::eq_int_type(c, Traits::eof()); c = source->sbumpc()) {
    const char byte = Traits::to_char_type(c);
    if (byte == '\n') break;
    if (line.size() < max) {
      line += byte;
    } else {
      is_too_long = true;
    }
  }
  return is_too_long ? Line::kTooLong : Line::kWhole;
}

}  // namespace agentlock::cli
