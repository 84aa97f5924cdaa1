#include "url/percent.hpp"

#include <cstddef>

#include "url/ascii.hpp"

namespace agentlock::url {

void append_encoded(std::string& output, char byte, const PercentEncodeSet& set) {
  if (!set.contains(byte)) {
    output += byte;
    return;
  }
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  output += '%';
  output += kDigits[value >> 4U];
  output += kDigits[value & 15U];
}

std::string percent_encode(std::string_view utf8, const PercentEncodeSet& set) {
  std::string output;
  output.reserve(utf8.size());
  for (const char byte : utf8) append_encoded(output, byte, set);
  return output;
}

std::string percent_decode(std::string_view input) {
  std::string output;
  output.reserve(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool is_encoded = input[i] == '%' && i + 2 < input.size() && is_hex_digit(input[i + 1]) &&
                            is_hex_digit(input[i + 2]);
    if (!is_encoded) {
      output += input[i];
      continue;
    }
    output += static_cast<char>(hex_value(input[i + 1]) * 16 + hex_value(input[i + 2]));
    i += 2;
  }
  return output;
}

}  // namespace agentlock::url
