#include "url/utf8.hpp"

#include <cstddef>

namespace agentlock::url {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Sequence {
  std::size_t length;  // bytes looked at, at least 1
  bool is_whole;
};

/// https://encoding.spec.whatwg.org/#utf-8-decoder, for one code point.
Sequence read_sequence(std::string_view bytes, std::size_t start) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned lead = at(start);
  if (lead < 0x80) return {1, true};
  std::size_t needed = 0;
  // The second byte's range shuts out overlong forms, surrogates and what lies
  // above U+10FFFF.
  unsigned lower = 0x80;
  unsigned upper = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    needed = 1;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    needed = 2;
    if (lead == 0xE0) lower = 0xA0;
    if (lead == 0xED) upper = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    needed = 3;
    if (lead == 0xF0) lower = 0x90;
    if (lead == 0xF4) upper = 0x8F;
  } else {
    return {1, false};
  }
  for (std::size_t seen = 1; seen <= needed; ++seen) {
    if (start + seen == bytes.size()) return {seen, false};
    const unsigned byte = at(start + seen);
    if (byte < lower || byte > upper) return {seen, false};
    lower = 0x80;
    upper = 0xBF;
  }
  return {needed + 1, true};
}

}  // namespace

std::string to_well_formed_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const Sequence sequence = read_sequence(bytes, i);
    text += sequence.is_whole ? bytes.substr(i, sequence.length) : kReplacement;
    i += sequence.length;
  }
  return text;
}

}  // namespace agentlock::url
