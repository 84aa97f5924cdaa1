#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "base/json.hpp"
#include "mcp/message.hpp"
#include "mcp/revision.hpp"

namespace agentlock::mcp {

/// Under which terms a request is served: told by `initialize` for the session, or
/// by the envelope for that one request.
struct Terms {
  Revision revision;
  /// The client can show a form (form elicitation).
  bool can_ask = false;
  /// What the client calls itself, shortened; empty if it doesn't say.
  std::string client = {};
};

/// MCP 2026-07-28, "Base protocol: _meta". Nothing if `params` holds no part of the
/// envelope, so that the request belongs to the handshake era; an error if it holds
/// only a part of it, has a wrong type in it, or names a version not served so.
tl::expected<std::optional<Terms>, RpcError> read_envelope(const Json& params);

/// The error for a request that exists only with an envelope and came without one.
RpcError missing_envelope(std::string_view method);

/// Form elicitation is there if `elicitation` is, and names `form` or no mode at
/// all: `{"url": {}}` alone is not enough.
bool can_ask(const Json& capabilities);

/// The name in a clientInfo; empty if there is none.
std::string client_name(const Json* info);

}  // namespace agentlock::mcp
