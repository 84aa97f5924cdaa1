#include "agentlock/find_lowercase.hpp"

// Horspool's search: the byte that stands under the token's last one tells how far the
// token can be moved, so that of a text only every so many bytes are looked at as the
// token has. Worst, for a token and a text of one letter, is their lengths multiplied,
// and so the bytes that are compared are counted: beyond some for each byte of the text,
// a plain search through a lowered copy goes on, which is always linear.

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace agentlock {
namespace {

constexpr std::size_t kComparedAByte = 8;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::optional<std::size_t> find_in_copy(std::string_view text, std::string_view token) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), lower);
  const void* place = ::memmem(lowered.data(), lowered.size(), token.data(), token.size());
  if (place == nullptr) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const char*>(place) - lowered.data());
}

}  // namespace

std::optional<std::size_t> find_lowercase(std::string_view text, std::string_view token) {
  if (token.empty()) return 0;
  // How far the token moves if this byte stands under its last one.
  std::array<std::size_t, 256> moves;
  moves.fill(token.size());
  for (std::size_t i = 0; i + 1 < token.size(); ++i) {
    const auto byte = static_cast<unsigned char>(token[i]);
    moves[byte] = token.size() - 1 - i;
    if (byte >= 'a' && byte <= 'z') moves[byte & ~0x20U] = moves[byte];
  }
  std::size_t compared = 0;
  for (std::size_t at = 0; at + token.size() <= text.size();) {
    std::size_t left = token.size();
    while (left > 0 && lower(text[at + left - 1]) == token[left - 1]) --left;
    if (left == 0) return at;
    compared += token.size() - left;
    if (compared > text.size() * kComparedAByte) return find_in_copy(text, token);
    at += moves[static_cast<unsigned char>(text[at + token.size() - 1])];
  }
  return std::nullopt;
}

}  // namespace agentlock
