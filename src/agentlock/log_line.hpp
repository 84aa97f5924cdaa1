#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace agentlock {

/// The form of one line of the decision log, for who writes and who checks it.
/// Source: gate.md, section 9; docs/decision-log.md.

/// Longer lines are neither written nor read, the LF not counted.
inline constexpr std::size_t kMaxLogLine = std::size_t{16} << 20U;

/// Every line of the log begins so.
inline constexpr std::string_view kLogLineStart = "{\"session\":\"";

/// The `prev` of a session's first line.
std::string first_prev();

/// A line's object as text up to and not including its closing brace: ASCII only,
/// control characters escaped, so that it is one line whatever a page put into it.
std::string open_line(const Json& object);

/// Ends an open line: adds `hash`, the closing brace and LF. `hash` receives it.
void close_line(std::string& line, std::string_view prev, std::string& hash);

/// What the `seal` of a checkpoint signs: the open line as it stands before its
/// `seal`, and the chain before it.
std::string sealed_bytes(std::string_view prev, std::string_view open_line);

/// A finished line, without its LF, in two parts.
struct LogLine {
  std::string_view body;  ///< before `,"hash"`
  std::string_view hash;  ///< 64 lowercase hex digits
};
std::optional<LogLine> split_line(std::string_view line);

/// UTC with six decimals: 2026-11-29T12:00:00.000000Z.
std::string iso_time(std::int64_t microseconds);

}  // namespace agentlock
