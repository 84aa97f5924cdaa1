#pragma once

namespace agentlock::mcp::code {

/// JSON-RPC 2.0, section 5.1.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
/// Also for a method whose capability is not declared.
inline constexpr int kMethodNotFound = -32601;
/// Also for an unknown tool, a bad cursor and an incomplete envelope.
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
/// MCP 2026-07-28, "Versioning": the envelope names a version that is not served.
inline constexpr int kUnsupportedProtocolVersion = -32022;

}  // namespace agentlock::mcp::code
