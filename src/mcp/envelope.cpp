#include "mcp/envelope.hpp"

#include "base/encoding.hpp"
#include "mcp/codes.hpp"
#include "mcp/methods.hpp"

namespace agentlock::mcp {
namespace {

RpcError invalid_envelope(std::string sentence) {
  return RpcError{code::kInvalidParams, std::move(sentence)};
}

bool has_part_of_envelope(const Json& meta_member) {
  for (const char* key :
       {meta::kProtocolVersion, meta::kClientCapabilities, meta::kClientInfo, meta::kLogLevel}) {
    if (meta_member.contains(key)) return true;
  }
  return false;
}

RpcError unsupported_version(std::string_view requested) {
  constexpr std::size_t kEchoed = 64;
  Json supported = Json::array();
  for (const Revision revision : kRevisions) supported.push_back(to_string(revision));
  Json data = {{"supported", std::move(supported)}};
  data["requested"] = utf8_prefix(requested, kEchoed);
  return RpcError{code::kUnsupportedProtocolVersion,
                  "The protocol version " + in_quotes(requested) + " is not served.",
                  std::move(data)};
}

}  // namespace

tl::expected<std::optional<Terms>, RpcError> read_envelope(const Json& params) {
  const Json* meta_member = member(params, "_meta");
  if (meta_member == nullptr) return std::nullopt;
  if (!meta_member->is_object()) {
    return tl::unexpected(invalid_envelope("The member _meta of params must be an object."));
  }
  if (!has_part_of_envelope(*meta_member)) return std::nullopt;

  const Json* version = member(*meta_member, meta::kProtocolVersion);
  if (version == nullptr || !version->is_string()) {
    return tl::unexpected(
        invalid_envelope(std::string("_meta lacks the string ") + meta::kProtocolVersion + "."));
  }
  const Json* capabilities = member(*meta_member, meta::kClientCapabilities);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return tl::unexpected(invalid_envelope(std::string("_meta lacks the object ") +
                                           meta::kClientCapabilities + "; it may be empty."));
  }
  const Json* info = member(*meta_member, meta::kClientInfo);
  if (info != nullptr && !info->is_object()) {
    return tl::unexpected(invalid_envelope(std::string(meta::kClientInfo) + " must be an object."));
  }
  const std::string name = version->get<std::string>();
  const std::optional<Revision> revision = revision_of(name);
  if (!revision) return tl::unexpected(unsupported_version(name));
  // -32022 would tell the client that the version is not served at all.
  if (!is_stateless(*revision)) {
    return tl::unexpected(invalid_envelope("The version " + name +
                                           " has no envelope: it is opened with initialize."));
  }
  return Terms{*revision, can_ask(*capabilities), client_name(info)};
}

RpcError missing_envelope(std::string_view method) {
  return invalid_envelope(std::string(method) + " needs " + meta::kProtocolVersion + " and " +
                          meta::kClientCapabilities + " in params._meta.");
}

bool can_ask(const Json& capabilities) {
  const Json* elicitation = member(capabilities, "elicitation");
  if (elicitation == nullptr || !elicitation->is_object()) return false;
  if (const Json* form = member(*elicitation, "form")) return form->is_object();
  return !elicitation->contains("url");
}

std::string client_name(const Json* info) {
  constexpr std::size_t kKept = 100;
  if (info == nullptr) return "";
  return std::string(utf8_prefix(string_member(*info, "name"), kKept));
}

}  // namespace agentlock::mcp
