#include <algorithm>
#include <array>

#include "agentlock/canonical_forms.hpp"

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

}  // namespace

std::string refanged(std::string_view text) {
  std::string plain;
  std::size_t copied = 0;
  std::size_t at = text.find_first_of("[({");
  while (at != std::string_view::npos) {
    const std::size_t marker = marker_at(text, at);
    if (marker > 0) {
      plain.append(text, copied, at - copied);
      plain += '.';
      copied = at + marker;
    }
    at = text.find_first_of("[({", at + std::max<std::size_t>(marker, 1));
  }
  if (copied > 0) plain.append(text, copied);
  return plain;
}

}  // namespace agentlock
