#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "agentlock/piece_text.hpp"

namespace agentlock {

/// The values that a digit of an encoded text can have: at most two, -1 for none.
using DigitValues = std::array<int, 2>;

DigitValues hex_digit(char c);
/// Of lowercase base64, in which a letter is one of two digits.
DigitValues base64_digit(char c);

/// All ways to read the digits of an encoded text as bytes that can stand in recorded
/// text. Where a digit has two values, a path forks; a path ends as soon as two of its
/// bytes stand side by side in no recorded piece. That ends nearly all false ones after
/// three bytes, so there are seldom more than a few.
class BitPaths {
 public:
  /// What becomes of the first byte, if `unknown` of its bits come before the first digit.
  enum class FirstByte {
    kDropped,  ///< the paths begin with the byte after it
    kGuessed,  ///< a path for each value that those bits can have
  };

  BitPaths(const PieceText& pieces, unsigned unknown, FirstByte first);

  /// Reads one more digit, of `width` bits.
  void read(const DigitValues& digit, unsigned width);

  struct Path {
    std::string bytes;
    unsigned value;  ///< of the bits that fill no byte yet
    unsigned bits;   ///< how many those are: the same for all paths
  };
  /// All of them have equally many bytes.
  const std::vector<Path>& paths() const { return paths_; }

 private:
  bool add(char byte, std::string& bytes) const;

  const PieceText& pieces_;
  std::vector<Path> paths_;
  std::vector<Path> longer_;  // kept for its memory
  bool drops_first_;
};

}  // namespace agentlock
