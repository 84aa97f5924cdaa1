#include "base/log.hpp"

#include <exception>
#include <memory>
#include <mutex>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define SPDLOG_HEADER_ONLY
#define FMT_HEADER_ONLY
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include "base/encoding.hpp"
#include "base/task.hpp"

namespace agentlock {
namespace log {
namespace {

// Writes only what the descriptor takes at once, so that a client that never
// reads our stderr can't stop the event loop. The descriptor may be shared with
// other processes, so its O_NONBLOCK flag is left alone and poll asks instead;
// a pipe that polls writable takes PIPE_BUF bytes.
class UnblockingStderr final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    // Anything but POLLOUT alone: full, closed, or a pipe that nobody reads any more.
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1 || ready.revents != POLLOUT) {
      ++dropped_;
      return;
    }
    std::string out;
    if (dropped_ > 0) out = "(" + std::to_string(dropped_) + " lines dropped)\n";
    dropped_ = 0;
    out += utf8_prefix(std::string_view(text.data(), text.size() - 1), kMaxLine);
    out += '\n';
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, out.data(), out.size());
  }
  void flush_() override {}

 private:
  /// Together with a note of what was dropped less than PIPE_BUF.
  static constexpr std::size_t kMaxLine = 4000;
  std::size_t dropped_ = 0;
};

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::kTrace:
      return spdlog::level::trace;
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
    case Level::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::warn;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("agentlock", std::make_shared<UnblockingStderr>());
    made->set_pattern("agentlock-browser: %l: %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

// How many bytes of valid UTF-8, from the beginning of `text`, are a character that
// orders text from right to left, ends a line, or is a control of two bytes (U+0080 to
// U+009F); 0 if it is none.
std::size_t steering_character(std::string_view text) {
  if (text[0] == '\xC2') return static_cast<unsigned char>(text[1]) < 0xA0 ? 2 : 0;
  for (const std::string_view one :
       {"\u061C", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B", "\u202C", "\u202D",
        "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    if (text.starts_with(one)) return one.size();
  }
  return 0;
}

// Terminals act on U+0000 to U+001F, U+007F and what is above, some also on single
// bytes from 80 to 9F, which valid UTF-8 has not.
std::string escape_controls(std::string_view text) {
  const bool utf8 = is_utf8(text);
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    std::size_t escaped = byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !utf8) ? 1 : 0;
    if (byte >= 0x80 && utf8) escaped = steering_character(text.substr(i));
    if (escaped == 0) safe += text[i++];
    for (; escaped > 0; --escaped) safe += "\\x" + to_hex(text.substr(i++, 1));
  }
  return safe;
}

}  // namespace

void set_level(Level level) { logger().set_level(to_spdlog(level)); }

Level level_of(std::string_view name) {
  if (name == "trace") return Level::kTrace;
  if (name == "debug") return Level::kDebug;
  if (name == "info") return Level::kInfo;
  if (name == "error") return Level::kError;
  if (name == "off") return Level::kOff;
  return Level::kWarning;
}

void write(Level level, std::string_view message) {
  logger().log(to_spdlog(level), escape_controls(message));
}

}  // namespace log

void LogFailure::operator()(std::exception_ptr failure) const {
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    log::error(std::string(what) + " ended by an exception: " + error.what());
  } catch (...) {
    log::error(std::string(what) + " ended by an exception of an unknown type");
  }
}

}  // namespace agentlock
