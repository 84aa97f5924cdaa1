#include "agentlock/encoded_guess.hpp"

// A digit of an encoded text is 4 or 6 bits of the bytes behind it; a letter of lowercase
// base64 is one of two digits. So the text is read as a stream of bits with forks, and
// each path through the forks is one way to read it. Paths grow byte by byte, and one ends
// as soon as two of its bytes stand side by side in no recorded piece, which ends nearly
// all of them after three bytes. Where many are left all the same, or they are long enough
// to be rare, they are searched for as they are: what is found is compared in full by who
// asked.

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace agentlock {
namespace {

constexpr std::size_t kMaxGuesses = 64;
// What the index looks up best, and what is rare enough.
constexpr std::size_t kIndexed = 4;
constexpr std::size_t kLongest = 12;

// The values that a digit can have: at most two, -1 for none.
using Digit = std::array<int, 2>;

Digit hex_digit(char c) {
  if (c >= '0' && c <= '9') return {c - '0', -1};
  if (c >= 'a' && c <= 'f') return {c - 'a' + 10, -1};
  return {-1, -1};
}

Digit base64_digit(char c) {
  if (c >= 'a' && c <= 'z') return {c - 'a', c - 'a' + 26};
  if (c >= '0' && c <= '9') return {c - '0' + 52, -1};
  if (c == '+') return {62, -1};
  if (c == '/') return {63, -1};
  return {-1, -1};
}

struct Path {
  std::string bytes;
  unsigned value;  // of the bits that fill no byte yet
  unsigned bits;
};

// The bytes behind digits of `width` bits each, the first of which has `unknown` bits of
// its byte before it. That byte counts only `with_first`, with all that it can be.
class Reader {
 public:
  Reader(const PieceText& pieces, unsigned unknown, bool with_first)
      : pieces_(pieces), drops_first_(unknown > 0 && !with_first) {
    const unsigned count = with_first ? 1U << unknown : 1U;
    for (unsigned value = 0; value < count; ++value) paths_.push_back({"", value, unknown});
  }

  void read(const Digit& digit, unsigned width) {
    std::vector<Path> longer;
    bool completes = false;
    for (const Path& path : paths_) {
      for (const int value : digit) {
        if (value < 0) continue;
        Path next{path.bytes, path.value << width | static_cast<unsigned>(value),
                  path.bits + width};
        if (next.bits >= 8) {
          completes = true;
          next.bits -= 8;
          const char byte = static_cast<char>(next.value >> next.bits);
          next.value &= (1U << next.bits) - 1;
          if (!drops_first_ && !add(byte, next.bytes)) continue;
        }
        longer.push_back(std::move(next));
      }
    }
    if (completes) drops_first_ = false;
    paths_ = std::move(longer);
  }

  bool is_enough() const {
    if (paths_.empty()) return true;
    const std::size_t length = paths_.front().bytes.size();
    return length >= kLongest || (length >= kIndexed && paths_.size() > kMaxGuesses);
  }

  std::vector<std::string> bytes() {
    std::vector<std::string> all;
    for (Path& path : paths_) all.push_back(std::move(path.bytes));
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    return all;
  }

 private:
  bool add(char byte, std::string& bytes) const {
    if (!bytes.empty() && !pieces_.holds_pair(bytes.back(), byte)) return false;
    bytes += byte;
    return true;
  }

  const PieceText& pieces_;
  std::vector<Path> paths_;
  bool drops_first_;
};

std::vector<std::string> read(std::string_view text, Digit (*digit_of)(char), unsigned width,
                              unsigned unknown, bool with_first, const PieceText& pieces) {
  Reader reader(pieces, unknown, with_first);
  for (const char c : text) {
    reader.read(digit_of(c), width);
    if (reader.is_enough()) break;
  }
  return reader.bytes();
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

// `first_full`: where in its group the first byte stands of which all bits are known.
std::vector<EncodedGuess> guesses(std::string_view text, Digit (*digit_of)(char), unsigned width,
                                  unsigned unknown, std::size_t first_full,
                                  const PieceText& pieces) {
  auto lead = static_cast<std::ptrdiff_t>(first_full);
  std::vector<std::string> found = read(text, digit_of, width, unknown, false, pieces);
  if (!found.empty() && found.front().size() < kIndexed && unknown > 0) {
    found = read(text, digit_of, width, unknown, true, pieces);
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
  return guesses(text, hex_digit, 4, phase == 0 ? 0 : 4, phase, pieces);
}

std::vector<EncodedGuess> base64_guesses(std::string_view text, std::size_t phase,
                                         const PieceText& pieces) {
  // Padding stands for no bits.
  text = text.substr(0, text.find_last_not_of('=') + 1);
  constexpr std::array kUnknown = {0U, 6U, 4U, 2U};
  return guesses(text, base64_digit, 6, kUnknown[phase], phase, pieces);
}

}  // namespace agentlock
