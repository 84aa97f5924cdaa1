#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agentlock/log_line.hpp"
#include "agentlock/signing_key.hpp"
#include "base/json.hpp"

namespace agentlock {

/// What can be read in a line of a log that nobody vouches for.

/// The members that every line has.
struct LogMembers {
  std::string session;
  std::uint64_t seq;
  double ts;
  std::string event;
  std::string prev;
};
std::optional<LogMembers> members_of(const Json& json);

/// True if the text could be the beginning of a line of the log.
bool begins_as_log_line(std::string_view text);

/// The session that a damaged line names, as far as that can be read; else empty.
std::string session_in(std::string_view text);

/// True if the line is written as the log writes it: no member twice, no white space,
/// no other spelling of a text or a number, so that all readers read the same.
bool is_in_own_form(const Json& json, std::string_view line);

/// Why a checkpoint or session_end is not signed by the key; nothing if it is.
/// Source: docs/decision-log.md, "Signatures".
std::optional<std::string> why_not_signed(const LogLine& line, const Json& json,
                                          std::string_view prev, const PublicKey& key);

}  // namespace agentlock
