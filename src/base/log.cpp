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
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) {
      ++dropped_;
      return;
    }
    if (dropped_ > 0) {
      const std::string note = "(" + std::to_string(dropped_) + " lines dropped)\n";
      dropped_ = 0;
      put(note);
    }
    put(std::string_view(text.data(), text.size()));
  }
  void flush_() override {}

 private:
  static void put(std::string_view text) {
    const std::string_view line = utf8_prefix(text, 4000);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  }
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

std::string escape_controls(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      safe += "\\x" + to_hex(std::string_view(&c, 1));
    } else {
      safe += c;
    }
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
  }
}

}  // namespace agentlock
