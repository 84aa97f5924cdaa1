#include "agentlock/log_members.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace agentlock {
namespace {

// The log writes 31 bytes and the heads file holds 40: without a bound the names in
// a hostile log would be kept whole.
constexpr std::size_t kMaxSessionName = 128;
constexpr std::string_view kBeforeSeal = ",\"seal\":\"";
constexpr std::size_t kSealSize = 128;

}  // namespace

std::optional<LogMembers> members_of(const Json& json) {
  const Json* seq = member(json, "seq");
  const Json* ts = member(json, "ts");
  if (seq == nullptr || !seq->is_number_unsigned()) return std::nullopt;
  if (ts == nullptr || !ts->is_number()) return std::nullopt;
  LogMembers members{string_member(json, "session"), seq->get<std::uint64_t>(), ts->get<double>(),
                     string_member(json, "event"), string_member(json, "prev")};
  if (members.session.empty() || members.event.empty() || members.prev.empty() ||
      members.session.size() > kMaxSessionName) {
    return std::nullopt;
  }
  return members;
}

bool begins_as_log_line(std::string_view text) {
  const std::size_t common = std::min(text.size(), kLogLineStart.size());
  return !text.empty() && text.substr(0, common) == kLogLineStart.substr(0, common);
}

std::string session_in(std::string_view text) {
  if (!text.starts_with(kLogLineStart)) return "";
  text.remove_prefix(kLogLineStart.size());
  const std::size_t end = text.find('"');
  return end == std::string_view::npos || end > kMaxSessionName ? ""
                                                                : std::string(text.substr(0, end));
}

bool is_in_own_form(const Json& json, std::string_view line) {
  const std::string own = open_line(json);
  return line.size() == own.size() + 1 && line.starts_with(own) && line.back() == '}';
}

std::optional<std::string> why_not_signed(const LogLine& line, const Json& json,
                                          std::string_view prev, const PublicKey& key) {
  if (!key.verifies(prev, string_member(json, "signature"))) {
    return "its signature over the head is not the session key's: something since the signature "
           "before it, or itself, was replaced";
  }
  constexpr std::size_t kTail = kBeforeSeal.size() + kSealSize + 1;
  if (line.body.size() > kTail) {
    const std::string_view open = line.body.substr(0, line.body.size() - kTail);
    const std::string_view seal = line.body.substr(open.size());
    if (seal.starts_with(kBeforeSeal) && seal.ends_with('"') &&
        key.verifies(sealed_bytes(prev, open), seal.substr(kBeforeSeal.size(), kSealSize))) {
      return std::nullopt;
    }
  }
  return "its seal is not the session key's: the line itself was replaced";
}

}  // namespace agentlock
