#include "agentlock/token_word.hpp"

#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

constexpr std::string_view kStripped = "\"'()[]{}<>,;:!?";
constexpr std::string_view kStructural = "._-/@:0123456789";
// A word this long is distinctive without any structure.
constexpr std::size_t kLongWord = 12;

}  // namespace

std::string_view canonical_word(std::string_view lowered, std::size_t min_length) {
  const std::size_t first = lowered.find_first_not_of(kStripped);
  if (first == std::string_view::npos) return {};
  const std::size_t last = lowered.find_last_not_of(kStripped);
  const std::string_view word = lowered.substr(first, last + 1 - first);
  const std::size_t length = count_code_points(word);
  if (length < min_length) return {};
  if (length >= kLongWord || word.find_first_of(kStructural) != std::string_view::npos) return word;
  return {};
}

}  // namespace agentlock
