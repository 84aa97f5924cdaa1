#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>

namespace agentlock {

/// Reads a stream line by line with a bound on memory.
class LineReader {
 public:
  struct Line {
    std::string text;          ///< without LF; cut if `too_long`
    std::uint64_t number = 0;  ///< from 1
    std::uint64_t byte = 0;    ///< where it begins
    bool ended = false;        ///< by LF, not by the end of the stream
    bool too_long = false;
  };

  LineReader(std::istream& in, std::size_t max_size) : in_(in), max_size_(max_size) {}

  /// False at the end of the stream (or if it fails: ask the stream's bad()).
  bool next(Line& line);

 private:
  bool refill();

  std::istream& in_;
  std::size_t max_size_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t byte_ = 0;
};

}  // namespace agentlock
