#include "mcp/message.hpp"

#include "base/encoding.hpp"
#include "mcp/codes.hpp"

namespace agentlock::mcp {
namespace {

constexpr char kVersion[] = "2.0";

Malformed malformed(std::optional<RequestId> id, int error_code, std::string sentence) {
  return Malformed{std::move(id), RpcError{error_code, std::move(sentence)}};
}

}  // namespace

std::optional<RequestId> RequestId::of(const Json& value) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    if (text.size() > kMaxBytes) return std::nullopt;
    return RequestId(Value(std::move(text)));
  }
  if (value.is_number_unsigned()) return RequestId(Value(value.get<std::uint64_t>()));
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number >= 0) return RequestId(Value(static_cast<std::uint64_t>(number)));
    return RequestId(Value(number));
  }
  return std::nullopt;
}

Json RequestId::to_json() const {
  return std::visit([](const auto& value) { return Json(value); }, value_);
}

Message read_message(Json value) {
  if (!value.is_object()) {
    return malformed({}, code::kInvalidRequest, "A message is one JSON object.");
  }
  const Json* raw_id = member(value, "id");
  std::optional<RequestId> id = raw_id == nullptr ? std::nullopt : RequestId::of(*raw_id);
  if (string_member(value, "jsonrpc") != kVersion) {
    return malformed(id, code::kInvalidRequest, "The member jsonrpc must be \"2.0\".");
  }
  const Json* method = member(value, "method");
  if (method == nullptr) {
    const Json* result = member(value, "result");
    const bool failed = value.contains("error");
    if (result != nullptr || failed) {
      return Response{std::move(id), failed || !result->is_object() ? Json() : *result};
    }
    return malformed(id, code::kInvalidRequest, "The member method is missing.");
  }
  if (!method->is_string()) {
    return malformed(id, code::kInvalidRequest, "The member method must be a string.");
  }
  std::string name = method->get<std::string>();
  Json params = Json::object();
  if (const auto found = value.find("params"); found != value.end()) params = std::move(*found);
  if (raw_id == nullptr) return Notification{std::move(name), std::move(params)};
  if (!id) {
    return malformed({}, code::kInvalidRequest,
                     "The id of a request must be an integer or a string of at most " +
                         std::to_string(RequestId::kMaxBytes) + " bytes.");
  }
  if (!params.is_object()) {
    return malformed(id, code::kInvalidParams, "The member params must be an object.");
  }
  return Request{std::move(*id), std::move(name), std::move(params)};
}

std::string result_line(const RequestId& id, Json result) {
  Json message = {{"jsonrpc", kVersion}, {"id", id.to_json()}};
  message["result"] = std::move(result);
  return to_line(message);
}

std::string request_line(const RequestId& id, const char* method, Json params) {
  Json message = {{"jsonrpc", kVersion}, {"id", id.to_json()}, {"method", method}};
  message["params"] = std::move(params);
  return to_line(message);
}

std::string notification_line(const char* method, Json params) {
  Json message = {{"jsonrpc", kVersion}, {"method", method}};
  message["params"] = std::move(params);
  return to_line(message);
}

std::string error_line(const std::optional<RequestId>& id, const RpcError& error) {
  Json message = {{"jsonrpc", kVersion}};
  if (id) message["id"] = id->to_json();
  Json body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  message["error"] = std::move(body);
  return to_line(message);
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t kShown = 100;
  const std::string_view shown = utf8_prefix(name, kShown);
  return "\"" + std::string(shown) + (shown.size() < name.size() ? "...\"" : "\"");
}

}  // namespace agentlock::mcp
