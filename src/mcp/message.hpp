#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace agentlock::mcp {

/// The id of a request: a string or an integer, never null, never fractional
/// (MCP, "Base protocol: Requests"). 1 and "1" are two ids, and each goes back as
/// it came.
class RequestId {
 public:
  /// Nothing if the value can't be an id, or is a text longer than kMaxBytes: an
  /// id comes back in the answer, whose length is bounded.
  static std::optional<RequestId> of(const Json& value);
  Json to_json() const;

  bool operator==(const RequestId&) const = default;
  auto operator<=>(const RequestId&) const = default;

  static constexpr std::size_t kMaxBytes = 1024;

 private:
  // A number below zero is signed and any other unsigned, as the parser has them,
  // so that one number has one form.
  using Value = std::variant<std::int64_t, std::uint64_t, std::string>;
  explicit RequestId(Value value) : value_(std::move(value)) {}

  Value value_;
};

/// JSON-RPC 2.0, section 5.1. `data` is null where there is none.
struct RpcError {
  int code;
  std::string message;
  Json data = nullptr;
};

struct Request {
  RequestId id;
  std::string method;
  /// An object; empty if the message has none.
  Json params;
};

struct Notification {
  std::string method;
  /// What the sender wrote, of any type: a malformed notification is not answered.
  Json params;
};

/// An answer to a request of ours. What can't be an id of ours has none.
struct Response {
  std::optional<RequestId> id;
  /// What the other side gave back; null if it answered with an error, or malformed.
  Json result;
};

/// Not a message; to be answered with the error, under the id if it could be read.
struct Malformed {
  std::optional<RequestId> id;
  RpcError error;
};

using Message = std::variant<Request, Notification, Response, Malformed>;

/// JSON-RPC 2.0, sections 4 and 5, as MCP narrows them. Never throws.
Message read_message(Json value);

/// One line without its line feed, and without any other line break in it.
std::string result_line(const RequestId& id, Json result);

/// A request and a notification of ours.
std::string request_line(const RequestId& id, const char* method, Json params);
std::string notification_line(const char* method, Json params);

/// Without an id, the member is left out: no revision of MCP allows null, which
/// plain JSON-RPC asks for.
std::string error_line(const std::optional<RequestId>& id, const RpcError& error);

/// A name from outside, short enough to stand in a sentence of ours.
std::string in_quotes(std::string_view name);

}  // namespace agentlock::mcp
