#include "mcp/line_splitter.hpp"

namespace agentlock::mcp {

void LineSplitter::push(std::string_view piece) {
  buffer_.erase(0, start_);
  searched_ -= start_;
  start_ = 0;
  buffer_ += piece;
}

std::optional<LineSplitter::Line> LineSplitter::next() {
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - start_;
    if (!skipping_ && length > max_line_bytes_) {
      // Told at once: its end may never come. The text goes away with it.
      skipping_ = true;
      searched_ = start_ += length;
      return Line{{}, true};
    }
    if (end == std::string::npos) {
      searched_ = buffer_.size();
      if (skipping_) start_ = searched_;
      return std::nullopt;
    }
    auto line = take(end);
    start_ = searched_ = end + 1;
    if (line) return line;
  }
}

std::optional<LineSplitter::Line> LineSplitter::rest() { return take(buffer_.size()); }

std::optional<LineSplitter::Line> LineSplitter::take(std::size_t end) {
  if (skipping_) {
    skipping_ = false;
    return std::nullopt;
  }
  std::string_view text = std::string_view(buffer_).substr(start_, end - start_);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
  return Line{std::string(text), false};
}

}  // namespace agentlock::mcp
