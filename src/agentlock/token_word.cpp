#include "agentlock/token_word.hpp"

#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

constexpr std::string_view kStripped = "\"'()[]{}<>,;:!?";
const ByteSet kStructural = byte_set("._-/@:0123456789");
// A word this long is distinctive without any structure.
constexpr std::size_t kLongWord = 12;

}  // namespace

std::string_view canonical_word(std::string_view lowered, std::size_t min_length) {
  const std::size_t first = lowered.find_first_not_of(kStripped);
  if (first == std::string_view::npos) return {};
  const std::size_t last = lowered.find_last_not_of(kStripped);
  const std::string_view word = lowered.substr(first, last + 1 - first);
  if (!has_code_points(word, min_length)) return {};
  const bool is_distinctive =
      has_code_points(word, kLongWord) || find_byte(word, 0, kStructural) < word.size();
  return is_distinctive ? word : std::string_view();
}

}  // namespace agentlock
