#include <algorithm>
#include <array>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

constexpr std::array<std::string_view, 5> kMarkers = {"[.]", "(.)", "{.}", "[dot]", "(dot)"};

// Bytes of the marker that begins at `at`, or 0.
std::size_t marker_at(std::string_view text, std::size_t at) {
  for (const std::string_view marker : kMarkers) {
    const std::string_view there = text.substr(at, marker.size());
    if (there.size() != marker.size()) continue;
    bool same = true;
    for (std::size_t i = 0; i < marker.size(); ++i) {
      const char c =
          there[i] >= 'A' && there[i] <= 'Z' ? static_cast<char>(there[i] | 0x20) : there[i];
      same = same && c == marker[i];
    }
    if (same) return marker.size();
  }
  return 0;
}

// The first bracket that can begin a marker, at or after `at`, or the text's end.
std::size_t find_bracket(std::string_view text, std::size_t at) {
  static constexpr ByteSet kBrackets = byte_set("[({");
  return find_byte(text, at, kBrackets);
}

}  // namespace

bool holds_marker(std::string_view text) {
  for (std::size_t at = find_bracket(text, 0); at < text.size(); at = find_bracket(text, at + 1)) {
    if (marker_at(text, at) > 0) return true;
  }
  return false;
}

std::string refanged(std::string_view text) {
  std::string plain;
  std::size_t copied = 0;
  std::size_t at = find_bracket(text, 0);
  while (at < text.size()) {
    const std::size_t marker = marker_at(text, at);
    if (marker > 0) {
      plain.append(text, copied, at - copied);
      plain += '.';
      copied = at + marker;
    }
    at = find_bracket(text, at + std::max<std::size_t>(marker, 1));
  }
  if (copied > 0) plain.append(text, copied);
  return plain;
}

}  // namespace agentlock
