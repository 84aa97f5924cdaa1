#pragma once

/// The names that MCP puts on the wire, each in one place. Which revision knows
/// which of them: the specification's schema of that revision.

namespace agentlock::mcp::method {

/// Handshake revisions, "Lifecycle".
inline constexpr char kInitialize[] = "initialize";
/// Handshake revisions, "Utilities: Ping".
inline constexpr char kPing[] = "ping";
/// All revisions, "Server features: Tools".
inline constexpr char kToolsList[] = "tools/list";
inline constexpr char kToolsCall[] = "tools/call";
/// All revisions, "Utilities: Cancellation".
inline constexpr char kCancelled[] = "notifications/cancelled";
/// All revisions, "Utilities: Progress".
inline constexpr char kProgress[] = "notifications/progress";
/// 2025-06-18 on, "Client features: Elicitation".
inline constexpr char kElicit[] = "elicitation/create";
/// 2026-07-28, "Discovery".
inline constexpr char kDiscover[] = "server/discover";
/// 2026-07-28, "Subscriptions". Not served: the list of tools never changes.
inline constexpr char kListen[] = "subscriptions/listen";

}  // namespace agentlock::mcp::method

/// 2026-07-28, "Base protocol: _meta": the keys of the envelope in a request's
/// `_meta`, and the one that a result carries.
namespace agentlock::mcp::meta {

inline constexpr char kProtocolVersion[] = "io.modelcontextprotocol/protocolVersion";
inline constexpr char kClientCapabilities[] = "io.modelcontextprotocol/clientCapabilities";
inline constexpr char kClientInfo[] = "io.modelcontextprotocol/clientInfo";
inline constexpr char kLogLevel[] = "io.modelcontextprotocol/logLevel";
inline constexpr char kServerInfo[] = "io.modelcontextprotocol/serverInfo";

}  // namespace agentlock::mcp::meta
