#include "cli/terminal_text.hpp"

#include "base/encoding.hpp"

namespace agentlock::cli {

std::string printable_ascii(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c >= 0x20 && c < 0x7F && c != '\\') {
      safe += c;
    } else {
      safe += "\\x" + to_hex(std::string_view(&c, 1));
    }
  }
  return safe;
}

}  // namespace agentlock::cli
