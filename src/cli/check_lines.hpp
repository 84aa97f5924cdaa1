#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace agentlock::cli {

enum class Line { kWhole, kTooLong, kEnd };

/// Reads a line without its newline, with bounded memory; of one that is longer than
/// `max` bytes, `line` holds the start.
Line read_line(std::istream& input, std::string& line, std::size_t max);

}  // namespace agentlock::cli
