#include "cdp/message.hpp"

#include <charconv>
#include <utility>

namespace agentlock::cdp {
namespace {

// The number after the top level member "id". Strings are skipped whole, so
// nothing that a page wrote can pose as the id; an event ends the search at its
// first member.
std::optional<std::int64_t> find_id(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return std::nullopt;
      --depth;
    } else if (c == '"') {
      const std::size_t begin = ++i;
      while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      if (i >= text.size()) return std::nullopt;
      const bool is_key = depth == 1 && i + 1 < text.size() && text[i + 1] == ':';
      const std::string_view word = text.substr(begin, i - begin);
      if (is_key && word == "method") return std::nullopt;
      if (!is_key || word != "id") continue;
      std::int64_t id = 0;
      const std::string_view digits = text.substr(i + 2);
      const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), id);
      if (parsed.ec != std::errc()) return std::nullopt;
      return id;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string command_text(std::int64_t id, const SessionId& session, std::string_view method,
                         const Json& params) {
  std::string text = "{\"id\":" + std::to_string(id) + ",\"method\":\"" + std::string(method) + '"';
  if (!params.empty()) text += ",\"params\":" + to_line(params);
  if (!session.empty()) text += ",\"sessionId\":" + to_line(Json(session.value()));
  return text + '}';
}

Message read_message(std::string text) {
  // Looked for first, as parsing takes the text.
  const std::optional<std::int64_t> id_in_text = find_id(text);
  auto parsed = parse_json(std::move(text));
  if (!parsed) {
    if (!id_in_text) return UnreadableMessage{parsed.error().describe()};
    return ReplyMessage{*id_in_text,
                        {},
                        std::nullopt,
                        Error(parsed.error().code(), "Chromium's answer could not be read",
                              std::make_shared<const Error>(parsed.error()))};
  }
  if (!parsed->is_object()) return UnreadableMessage{"not an object"};
  Json& message = *parsed;
  if (const Json* id = member(message, "id"); id != nullptr && id->is_number_integer()) {
    ReplyMessage reply;
    reply.id = id->get<std::int64_t>();
    if (const auto error = message.find("error"); error != message.end()) {
      reply.error = std::move(*error);
    } else if (const auto result = message.find("result"); result != message.end()) {
      reply.result = std::move(*result);
    } else {
      reply.failure =
          Error(ErrorCode::kProtocol, "Chromium answered with neither result nor error");
    }
    return reply;
  }
  EventMessage event;
  event.method = string_member(message, "method");
  if (event.method.empty()) return UnreadableMessage{"neither a reply nor an event"};
  event.session = SessionId(string_member(message, "sessionId"));
  const auto params = message.find("params");
  event.params =
      params != message.end() && params->is_object() ? std::move(*params) : Json::object();
  return event;
}

}  // namespace agentlock::cdp
