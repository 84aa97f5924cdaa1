#include "agentlock/encodings.hpp"

#include <algorithm>
#include <array>

#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMinHexNeedle = 16;
constexpr std::size_t kMinOtherNeedle = 10;

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// The digits of a group of three bytes, `bits` being all 24 of them.
void put_group(std::uint32_t bits, char* digits) {
  digits[0] = kLowerBase64Digits[bits >> 18U];
  digits[1] = kLowerBase64Digits[(bits >> 12U) & 63U];
  digits[2] = kLowerBase64Digits[(bits >> 6U) & 63U];
  digits[3] = kLowerBase64Digits[bits & 63U];
}

void lower_base64(std::string_view bytes, std::string& encoded) {
  encoded.resize((bytes.size() + 2) / 3 * 4);
  char* digits = encoded.data();
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3, digits += 4) {
    put_group(byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2),
              digits);
  }
  const std::size_t left = bytes.size() - at;
  if (left == 0) return;
  std::uint32_t bits = byte_at(bytes, at) << 16U;
  if (left == 2) bits |= byte_at(bytes, at + 1) << 8U;
  put_group(bits, digits);
  encoded.back() = '=';
  if (left == 1) encoded[encoded.size() - 2] = '=';
}

// The digits that depend on the token's bytes alone when `before` unknown bytes
// stand before it in their group of three.
void interior(std::string_view token, std::size_t before, std::string& encoded) {
  // The first group begins with bytes that are not there.
  const std::size_t first = std::min((3 - before) % 3, token.size());
  lower_base64(token.substr(first), encoded);
  const std::size_t end = 4 * (before + token.size()) / 3 - (before > 0 ? 4 : 0);
  if (before > 0 && first + before < 3) {
    // Not even the first group is whole: no needle is so short.
    encoded.clear();
    return;
  }
  encoded.resize(end);
  if (before == 0) return;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < first; ++i) bits = bits << 8U | byte_at(token, i);
  std::array<char, 4> digits;
  put_group(bits, digits.data());
  const std::size_t known = (4 * before + 2) / 3;
  encoded.insert(0, digits.data() + known, 4 - known);
}

void hex(std::string_view token, std::string& encoded) {
  encoded.resize(token.size() * 2);
  char* digits = encoded.data();
  for (const char c : token) {
    const auto byte = static_cast<unsigned char>(c);
    *digits++ = kHexDigits[byte >> 4U];
    *digits++ = kHexDigits[byte & 15U];
  }
}

char* put(std::string_view text, char* at) { return std::copy(text.begin(), text.end(), at); }

void percent(std::string_view token, std::string& encoded) {
  encoded.resize(token.size() * 3);
  char* end = encoded.data();
  for (const char c : token) {
    switch (c) {
      case '.':
        end = put("%2e", end);
        break;
      case '@':
        end = put("%40", end);
        break;
      case ':':
        end = put("%3a", end);
        break;
      case '/':
        end = put("%2f", end);
        break;
      default:
        *end++ = c;
    }
  }
  encoded.resize(static_cast<std::size_t>(end - encoded.data()));
}

}  // namespace

void encode(std::string_view token, Encoding encoding, std::string& encoded) {
  switch (encoding) {
    case Encoding::kBase64:
      return lower_base64(token, encoded);
    case Encoding::kHex:
      return hex(token, encoded);
    case Encoding::kPercent:
      return percent(token, encoded);
    case Encoding::kInterior0:
      return interior(token, 0, encoded);
    case Encoding::kInterior1:
      return interior(token, 1, encoded);
    case Encoding::kInterior2:
      return interior(token, 2, encoded);
  }
}

std::string encode(std::string_view token, Encoding encoding) {
  std::string encoded;
  encode(token, encoding, encoded);
  return encoded;
}

bool is_needle(std::string_view encoded, Encoding encoding) {
  switch (encoding) {
    case Encoding::kInterior0:
    case Encoding::kInterior1:
    case Encoding::kInterior2:
      return encoded.size() >= kMinOtherNeedle;  // all ASCII
    default:
      break;
  }
  const std::string_view kind = needle_kind(encoded);
  if (kind == "url") return has_code_points(encoded, kMinOtherNeedle);
  return kind == "hex" && encoded.size() >= kMinHexNeedle;
}

std::string_view needle_kind(std::string_view needle) {
  if (needle.find('%') != std::string_view::npos) return "url";
  if (needle.find_first_not_of("0123456789abcdef") == std::string_view::npos) return "hex";
  return "base64";
}

}  // namespace agentlock
