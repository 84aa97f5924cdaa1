#include "agentlock/line_reader.hpp"

#include <algorithm>
#include <string_view>

namespace agentlock {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10U;

}  // namespace

bool LineReader::refill() {
  buffer_.resize(kChunk);
  in_.read(buffer_.data(), static_cast<std::streamsize>(kChunk));
  buffer_.resize(static_cast<std::size_t>(in_.gcount()));
  at_ = 0;
  return !buffer_.empty();
}

bool LineReader::next(Line& line) {
  line.text.clear();
  line.ended = false;
  line.too_long = false;
  line.byte = byte_;
  while (at_ < buffer_.size() || refill()) {
    const std::string_view rest = std::string_view(buffer_).substr(at_);
    const std::size_t end = rest.find('\n');
    const std::string_view part = rest.substr(0, end);
    const std::size_t room = max_size_ - line.text.size();
    line.too_long = line.too_long || part.size() > room;
    line.text += part.substr(0, std::min(part.size(), room));
    line.ended = end != std::string_view::npos;
    const std::size_t used = part.size() + (line.ended ? 1 : 0);
    at_ += used;
    byte_ += used;
    if (line.ended) break;
  }
  if (byte_ == line.byte) return false;
  line.number = ++number_;
  return true;
}

}  // namespace agentlock
