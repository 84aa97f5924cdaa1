#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/piece_text.hpp"

namespace agentlock {

/// Bytes that must stand in a token if a certain text stands in its encoded form.
struct EncodedGuess {
  std::string bytes;
  /// How far behind the beginning of the encoded group in which the text begins (the byte
  /// of a hex form, the three bytes of a base64 one); -1 for the byte before it.
  std::ptrdiff_t lead;
};

// All that the text can stand for: if it is there, one of these is. Only such as `pieces`
// can hold; none if it can't be there at all. `phase` is how many digits of the group
// come before the text: 0 or 1, and 0 to 3.

std::vector<EncodedGuess> hex_guesses(std::string_view text, std::size_t phase,
                                      const PieceText& pieces);
/// Of lowercase base64, in which each letter stands for two digits.
std::vector<EncodedGuess> base64_guesses(std::string_view text, std::size_t phase,
                                         const PieceText& pieces);

}  // namespace agentlock
