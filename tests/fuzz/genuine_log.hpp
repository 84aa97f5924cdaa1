#pragma once

#include <map>
#include <string>
#include <vector>

#include "agentlock/signing_key.hpp"

namespace agentlock::fuzz {

/// A log as it was really written, always with the same bytes: two sessions of one key
/// that take turns, with decisions both ways, either kind of receipt, a checkpoint, a
/// clock that was set back, and text that has to be escaped.
struct GenuineLog {
  SigningKey key;
  std::string text;
  /// The lines of each session, without LF.
  std::map<std::string, std::vector<std::string>> sessions;
};

const GenuineLog& genuine_log();

/// The session that a whole line of the log names, or "".
std::string session_of(const std::string& line);

}  // namespace agentlock::fuzz
