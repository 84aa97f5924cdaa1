#include "agentlock/encodings.hpp"

#include "agentlock/character_classes.hpp"
#include "base/encoding.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMinHexNeedle = 16;
constexpr std::size_t kMinOtherNeedle = 10;

std::string lower_base64(std::string_view bytes) {
  std::string encoded = to_base64(bytes);
  for (char& c : encoded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return encoded;
}

// The digits that depend on the token's bytes alone when `before` unknown bytes
// stand before it in their group of three.
std::string interior(std::string_view token, std::size_t before) {
  const std::string padded = std::string(before, '\0') + std::string(token);
  const std::size_t begin = (4 * before + 2) / 3;
  const std::size_t end = 4 * padded.size() / 3;
  return lower_base64(padded).substr(begin, end - begin);
}

std::string percent(std::string_view token) {
  std::string encoded;
  for (const char c : token) {
    switch (c) {
      case '.':
        encoded += "%2e";
        break;
      case '@':
        encoded += "%40";
        break;
      case ':':
        encoded += "%3a";
        break;
      case '/':
        encoded += "%2f";
        break;
      default:
        encoded += c;
    }
  }
  return encoded;
}

}  // namespace

std::string encode(std::string_view token, Encoding encoding) {
  switch (encoding) {
    case Encoding::kBase64:
      return lower_base64(token);
    case Encoding::kHex:
      return to_hex(token);
    case Encoding::kPercent:
      return percent(token);
    case Encoding::kInterior0:
      return interior(token, 0);
    case Encoding::kInterior1:
      return interior(token, 1);
    case Encoding::kInterior2:
      return interior(token, 2);
  }
  return {};
}

bool is_needle(std::string_view encoded, Encoding encoding) {
  const std::size_t length = count_code_points(encoded);
  switch (encoding) {
    case Encoding::kInterior0:
    case Encoding::kInterior1:
    case Encoding::kInterior2:
      return length >= kMinOtherNeedle;
    default:
      break;
  }
  const std::string_view kind = needle_kind(encoded);
  if (kind == "url") return length >= kMinOtherNeedle;
  return kind == "hex" && length >= kMinHexNeedle;
}

std::string_view needle_kind(std::string_view needle) {
  if (needle.find('%') != std::string_view::npos) return "url";
  if (needle.find_first_not_of("0123456789abcdef") == std::string_view::npos) return "hex";
  return "base64";
}

}  // namespace agentlock
