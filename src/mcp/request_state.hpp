#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace agentlock::mcp {

/// What a call is, for binding a state to it: the tool's name and its arguments,
/// whatever the order of their members.
std::string call_digest(std::string_view tool, const Json& arguments);

/// Makes the `requestState` of calls that wait for a person (MCP 2026-07-28, "Multi
/// round-trip requests") and recognises them: a random number that cannot be guessed,
/// and an HMAC over it and the call's digest, with a key of this process.
class RequestStates {
 public:
  RequestStates();

  struct Made {
    std::string state;   ///< for the client
    std::string number;  ///< for us to find the call by
  };
  Made make(std::string_view digest) const;

  /// The number in a state, or nothing if it was not made here for this call.
  std::string number_of(std::string_view state, std::string_view digest) const;

 private:
  std::string seal(std::string_view number, std::string_view digest) const;

  std::array<std::uint8_t, 32> key_{};
};

}  // namespace agentlock::mcp
