#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "agentlock/result.hpp"
#include "base/json.hpp"
#include "cdp/ids.hpp"

/// CDP messages as text and as values (JSON-RPC 2.0 without its version member;
/// flattened sessions carry their id beside it).
namespace agentlock::cdp {

/// Empty params and the browser's own session are left out.
std::string command_text(std::int64_t id, const SessionId& session, std::string_view method,
                         const Json& params);

/// Either `error`, as Chromium sent it, or `failure`, if the reply itself makes
/// no sense, or `result`.
struct ReplyMessage {
  std::int64_t id = 0;
  Json result;
  std::optional<Json> error;
  std::optional<Error> failure;
};

struct EventMessage {
  SessionId session;
  std::string method;
  Json params;
};

struct UnreadableMessage {
  std::string reason;
};

using Message = std::variant<ReplyMessage, EventMessage, UnreadableMessage>;

/// Never throws. A text that is no JSON to us (too deep, say) is still a reply
/// with a failure if its id can be made out.
Message read_message(std::string text);

}  // namespace agentlock::cdp
