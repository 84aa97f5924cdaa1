#include "url/ipv4.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "url/ascii.hpp"

namespace agentlock::url {
namespace {

/// Any number above this is as wrong as this one.
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 32U;

/// https://url.spec.whatwg.org/#ipv4-number-parser
std::optional<std::uint64_t> parse_number(std::string_view input) {
  // 1. If input is the empty string, then return failure.
  if (input.empty()) return std::nullopt;
  // 2. validationError: not kept, nothing here reports what is merely unusual.
  // 3. Let R be 10.
  unsigned radix = 10;
  if (input.size() >= 2 && input[0] == '0' && (input[1] == 'x' || input[1] == 'X')) {
    // 4. "0x" or "0X": remove it and set R to 16.
    input.remove_prefix(2);
    radix = 16;
  } else if (input.size() >= 2 && input[0] == '0') {
    // 5. A leading zero: remove it and set R to 8.
    input.remove_prefix(1);
    radix = 8;
  }
  // 6. If input is the empty string, then return 0.
  // 7. If input contains a code point that is not a radix-R digit, then return failure.
  // 8. Let output be the number, which here stops growing once it is too large.
  std::uint64_t output = 0;
  for (const char c : input) {
    if (!is_hex_digit(c) || hex_value(c) >= radix) return std::nullopt;
    output = std::min(output * radix + hex_value(c), kTooLarge);
  }
  // 9. Return output.
  return output;
}

/// The last part of a domain, not counting an empty one after a final dot.
std::string_view last_part(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::size_t dot = domain.rfind('.');
  return dot == std::string_view::npos ? domain : domain.substr(dot + 1);
}

}  // namespace

bool ends_in_a_number(std::string_view domain) {
  // 1 to 4. Let last be the last part of domain, leaving out one empty last part.
  const std::string_view last = last_part(domain);
  // 5. If last is not the empty string and contains only ASCII digits, return true.
  if (!last.empty() && std::ranges::all_of(last, [](char c) { return is_digit(c); })) return true;
  // 6. If parsing last as an IPv4 number does not return failure, then return true.
  // 7. Return false.
  return parse_number(last).has_value();
}

Parsed<std::uint32_t> parse_ipv4(std::string_view domain) {
  // 1. Let parts be the result of strictly splitting input on ".".
  // 2. If the last item in parts is the empty string and is not the only one, remove it.
  if (domain.size() > 1 && domain.ends_with('.')) domain.remove_suffix(1);
  // 3. Fewer than 4 parts are only a validation error.
  // 4. If parts's size is greater than 4, return failure.
  if (std::ranges::count(domain, '.') > 3) return refuse(Fault::kIpv4Invalid);
  // 5 and 6. Parse each part; if one is no number, return failure.
  std::vector<std::uint64_t> numbers;
  for (std::size_t start = 0; start <= domain.size();) {
    const std::size_t end = std::min(domain.find('.', start), domain.size());
    const auto number = parse_number(domain.substr(start, end - start));
    if (!number) return refuse(Fault::kIpv4Invalid);
    numbers.push_back(*number);
    start = end + 1;
  }
  // 7. A number over 255 is by itself only a validation error.
  // 8. If any but the last item in numbers is greater than 255, then return failure.
  const std::uint64_t last = numbers.back();
  numbers.pop_back();
  if (std::ranges::any_of(numbers, [](std::uint64_t n) { return n > 255; })) {
    return refuse(Fault::kIpv4Invalid);
  }
  // 9. If the last item is 256^(5 - size) or more, then return failure.
  const std::uint64_t limit = std::uint64_t{1} << (8U * (4U - numbers.size()));
  if (last >= limit) return refuse(Fault::kIpv4Invalid);
  // 10 to 14. Add the other numbers in their places, the first one highest.
  std::uint64_t ipv4 = last;
  unsigned shift = 24;
  for (const std::uint64_t number : numbers) {
    ipv4 += number << shift;
    shift -= 8;
  }
  return static_cast<std::uint32_t>(ipv4);
}

std::string serialize_ipv4(std::uint32_t address) {
  std::string output;
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    output += std::to_string((address >> (shift - 8)) & 0xFFU);
    if (shift > 8) output += '.';
  }
  return output;
}

}  // namespace agentlock::url
