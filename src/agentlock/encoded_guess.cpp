#include "agentlock/encoded_guess.hpp"

// A digit of an encoded text is 4 or 6 bits of the bytes behind it, so the text says, but
// for a few ways to read it (bit_paths.hpp), which bytes those are. Where they are many or
// long enough to be rare they are not read further: what is found is compared in full by
// who asked.

#include <algorithm>
#include <array>
#include <utility>

#include "agentlock/bit_paths.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMaxGuesses = 64;
// What the index looks up best, and what is rare enough.
constexpr std::size_t kIndexed = 4;
constexpr std::size_t kLongest = 12;

// How the digits of a kind of encoding are read, and those of a text from a phase on.
struct Reading {
  DigitValues (*digit_of)(char);
  unsigned width;
  unsigned unknown;        // bits of the first byte that come before the text
  std::size_t first_full;  // where in its group the first byte stands of which none do
};

bool is_enough(const std::vector<BitPaths::Path>& paths) {
  if (paths.empty()) return true;
  const std::size_t length = paths.front().bytes.size();
  return length >= kLongest || (length >= kIndexed && paths.size() > kMaxGuesses);
}

std::vector<std::string> read(std::string_view text, const Reading& reading,
                              BitPaths::FirstByte first, const PieceText& pieces) {
  BitPaths reader(pieces, reading.unknown, first);
  for (const char c : text) {
    reader.read(reading.digit_of(c), reading.width);
    if (is_enough(reader.paths())) break;
  }
  std::vector<std::string> all;
  for (const BitPaths::Path& path : reader.paths()) all.push_back(path.bytes);
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

// Three bytes are not looked up by the index. A token whose form is searched has four at
// least, so there is one more before them or behind them.
std::vector<EncodedGuess> with_neighbours(const std::vector<EncodedGuess>& guesses,
                                          const PieceText& pieces) {
  std::vector<EncodedGuess> longer;
  for (const auto& [bytes, lead] : guesses) {
    for (unsigned value = 0; value < 256; ++value) {
      const char byte = static_cast<char>(value);
      if (pieces.holds_pair(byte, bytes.front())) longer.push_back({byte + bytes, lead - 1});
      if (pieces.holds_pair(bytes.back(), byte)) longer.push_back({bytes + byte, lead});
    }
  }
  return longer;
}

std::vector<EncodedGuess> guesses(std::string_view text, const Reading& reading,
                                  const PieceText& pieces) {
  auto lead = static_cast<std::ptrdiff_t>(reading.first_full);
  std::vector<std::string> found = read(text, reading, BitPaths::FirstByte::kDropped, pieces);
  if (!found.empty() && found.front().size() < kIndexed && reading.unknown > 0) {
    found = read(text, reading, BitPaths::FirstByte::kGuessed, pieces);
    --lead;
  }
  std::vector<EncodedGuess> all;
  for (std::string& bytes : found) all.push_back({std::move(bytes), lead});
  if (!all.empty() && all.front().bytes.size() == kIndexed - 1) {
    return with_neighbours(all, pieces);
  }
  return all;
}

}  // namespace

std::vector<EncodedGuess> hex_guesses(std::string_view text, std::size_t phase,
                                      const PieceText& pieces) {
  return guesses(text, {hex_digit, 4, phase == 0 ? 0U : 4U, phase}, pieces);
}

std::vector<EncodedGuess> base64_guesses(std::string_view text, std::size_t phase,
                                         const PieceText& pieces) {
  // Padding stands for no bits.
  text = text.substr(0, text.find_last_not_of('=') + 1);
  constexpr std::array kUnknown = {0U, 6U, 4U, 2U};
  return guesses(text, {base64_digit, 6, kUnknown[phase], phase}, pieces);
}

}  // namespace agentlock
