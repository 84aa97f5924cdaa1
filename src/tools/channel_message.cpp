#include "tools/channel_message.hpp"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/encoding.hpp"

namespace agentlock::tools {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMaxAncestors = 64;
constexpr std::size_t kMaxName = 200;
constexpr double kMaxTime = 1e11;

bool is_way(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_id(std::string_view text) { return text.size() == 16 && from_hex(text).has_value(); }

std::optional<Ancestor> read_ancestor(const Json& json) {
  if (!json.is_array() || json.size() != 3 ||
      !std::ranges::all_of(json, [](const Json& item) { return item.is_number_unsigned(); })) {
    return std::nullopt;
  }
  const auto kind = json[2].get<std::uint64_t>();
  if (kind > static_cast<std::uint64_t>(ProcessKind::kOther)) return std::nullopt;
  return Ancestor{json[0].get<std::int64_t>(), json[1].get<std::uint64_t>(),
                  static_cast<ProcessKind>(kind)};
}

tl::unexpected<Error> malformed() {
  return fail(ErrorCode::kProtocol, "it is no message of a hook of this version");
}

}  // namespace

Json ChannelMessage::to_json() const {
  Json json = {
      {"v", kVersion},      {"id", id},         {"way", way},         {"session", session},
      {"said_at", said_at}, {"prompt", prompt}, {"refused", refused}, {"unchecked", unchecked}};
  if (named_client) json["client"] = *named_client;
  Json& chain = json["ancestors"] = Json::array();
  for (const Ancestor& one : ancestors) {
    chain.push_back(
        {static_cast<std::uint64_t>(one.pid), one.start, static_cast<std::uint64_t>(one.kind)});
  }
  return json;
}

Result<ChannelMessage> ChannelMessage::parse(std::string line) {
  if (line.size() > kMaxBytes) return malformed();
  AGENTLOCK_TRY(json, parse_json(std::move(line), {.max_depth = 4, .max_members = 32}));
  const Json* version = member(json, "v");
  const Json* said_at = member(json, "said_at");
  const Json* unchecked = member(json, "unchecked");
  const Json* client = member(json, "client");
  const Json* chain = member(json, "ancestors");
  ChannelMessage message;
  message.id = string_member(json, "id");
  message.way = string_member(json, "way");
  message.session = string_member(json, "session");
  message.prompt = string_member(json, "prompt");
  message.refused = string_member(json, "refused");
  const bool sound = version != nullptr && version->is_number_integer() &&
                     version->get<std::int64_t>() == kVersion && is_id(message.id) &&
                     is_way(message.way) && !message.session.empty() &&
                     message.session.size() <= kMaxName && message.refused.size() <= kMaxName &&
                     message.prompt.size() <= kMaxPrompt && said_at != nullptr &&
                     said_at->is_number() && unchecked != nullptr && unchecked->is_boolean() &&
                     (client == nullptr || client->is_number_integer()) && chain != nullptr &&
                     chain->is_array() && chain->size() <= kMaxAncestors;
  if (!sound) return malformed();
  message.said_at = said_at->get<double>();
  if (message.said_at < 0 || message.said_at > kMaxTime) return malformed();
  message.unchecked = unchecked->get<bool>();
  if (client != nullptr) message.named_client = client->get<std::int64_t>();
  for (const Json& item : *chain) {
    const auto ancestor = read_ancestor(item);
    if (!ancestor) return malformed();
    message.ancestors.push_back(*ancestor);
  }
  return message;
}

std::vector<Ancestor> ancestor_chain(pid_t pid) {
  std::vector<Ancestor> chain;
  for (const ProcessInfo& process : ancestors(pid)) {
    chain.push_back(
        {process.pid, process.start, process_kind(process.executable, process.arguments)});
  }
  return chain;
}

}  // namespace agentlock::tools
