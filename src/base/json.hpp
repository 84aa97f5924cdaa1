#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/result.hpp"

namespace agentlock {

/// Object members keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// What a JSON text from outside may look like.
struct JsonLimits {
  std::size_t max_depth = 512;
  /// Of one object. Looking a member up is linear, so reading an object is quadratic.
  std::size_t max_members = 2'048;
};

/// Parses a JSON text from outside the process. Lone surrogate escapes become
/// U+FFFD (Chromium sends them as they are, and one would hide a whole message);
/// what passes a limit, a NUL byte and invalid UTF-8 are errors. Never throws.
Result<Json> parse_json(std::string text, JsonLimits limits = {});

/// One line, no white space; invalid UTF-8 becomes U+FFFD. Never throws.
std::string to_line(const Json& value);

/// Member access on values from outside: null, or the fallback, where the member
/// is missing or has another type.
const Json* member(const Json& object, std::string_view key);
std::string string_member(const Json& object, std::string_view key, std::string_view fallback = "");

}  // namespace agentlock
