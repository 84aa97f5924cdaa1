#pragma once

#include <iosfwd>

namespace agentlock::cli {

/// `agentlock-browser check --format urls`: reads one URL a line and writes one JSON
/// object a line, `{"input":...,"href":...,"origin":...}` for what the browser may be
/// asked to open and `{"input":...,"refused":...}` with the reason for all else.
/// Returns the exit code: 0, or 1 if the output cannot be written.
int check_urls(std::istream& input, std::ostream& output);

}  // namespace agentlock::cli
