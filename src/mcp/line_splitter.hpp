#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace agentlock::mcp {

/// Cuts a stream of bytes into lines, wherever its pieces were cut (MCP, "Transports:
/// stdio"). Keeps at most one line of `max_line_bytes` and one piece in memory.
class LineSplitter {
 public:
  struct Line {
    /// Without its ending, "\n" or "\r\n". Empty if the line was too long.
    std::string text;
    /// The line was longer than allowed, and is skipped up to its end.
    bool oversized = false;
  };

  explicit LineSplitter(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  /// Takes the next piece. Call next() until it is empty before the next push().
  void push(std::string_view piece);

  /// The next line that isn't blank.
  std::optional<Line> next();

  /// The line that the stream ended in, if it isn't blank.
  std::optional<Line> rest();

  /// How much of the stream is kept because it may belong to a line.
  std::size_t held_bytes() const { return buffer_.size() - start_; }

 private:
  std::optional<Line> take(std::size_t end);

  std::size_t max_line_bytes_;
  std::string buffer_;
  // Where the current line begins in the buffer, and up to where it was searched.
  std::size_t start_ = 0;
  std::size_t searched_ = 0;
  bool skipping_ = false;
};

}  // namespace agentlock::mcp
