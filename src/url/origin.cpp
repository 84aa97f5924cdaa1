#include "agentlock/origin.hpp"

#include <string>

#include "agentlock/url.hpp"
#include "base/encoding.hpp"
#include "url/utf8.hpp"

namespace agentlock {
namespace {

constexpr std::string_view kAskedFor = "Write an origin such as https://host or https://host:8443.";

bool is_blank_or_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

/// The entry for a one-line message: of bounded length, without control characters.
std::string quoted(std::string_view entry) {
  constexpr std::size_t kMaxShown = 200;
  const std::string text = url::to_well_formed_utf8(entry);
  std::string shown(utf8_prefix(text, kMaxShown));
  for (char& c : shown) {
    if (is_blank_or_control(c) && c != ' ') c = '?';
  }
  return "\"" + shown + (text.size() > kMaxShown ? "...\"" : "\"");
}

tl::unexpected<Error> refuse_entry(std::string_view entry, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, "The allowlist entry " + quoted(entry) + " " +
                                               std::string(why) + " " + std::string(kAskedFor));
}

}  // namespace

Result<Origin> Origin::parse_entry(std::string_view given) {
  std::string_view entry = given;
  while (!entry.empty() && is_blank_or_control(entry.front())) entry.remove_prefix(1);
  while (!entry.empty() && is_blank_or_control(entry.back())) entry.remove_suffix(1);
  if (entry.empty()) return refuse_entry(given, "is empty.");

  // The URL parser repairs a great deal (backslashes, missing slashes, tabs). What an
  // operator allows is not guessed, so the entry's shape is looked at before it.
  for (const char c : entry) {
    if (is_blank_or_control(c)) return refuse_entry(given, "holds white space.");
    if (c == '@') return refuse_entry(given, "holds a user name or password.");
    if (c == '?' || c == '#') return refuse_entry(given, "holds a query or fragment.");
    if (c == '\\') return refuse_entry(given, "holds a backslash.");
  }
  const std::size_t scheme_end = entry.find("://");
  const bool has_scheme = scheme_end != std::string_view::npos;
  const std::string_view authority = has_scheme ? entry.substr(scheme_end + 3) : entry;
  const std::size_t slash = authority.find('/');
  if (slash == 0) return refuse_entry(given, "names no host.");
  if (slash != std::string_view::npos && slash + 1 != authority.size()) {
    return refuse_entry(given, "holds a path, and an allowed origin is allowed as a whole.");
  }

  const auto url = Url::parse(has_scheme ? std::string(entry) : "https://" + std::string(entry));
  if (!url) return refuse_entry(given, "is no origin: " + url.error().message());
  if (url->scheme() != "https" && url->scheme() != "http") {
    return refuse_entry(given, "has a scheme other than https and http.");
  }
  if (url->host().find('*') != std::string::npos) {
    return refuse_entry(given, "holds a wildcard, and each host must be named.");
  }
  return url->origin();
}

std::string Origin::serialize() const {
  // 1. If origin is an opaque origin, then return "null".
  if (is_opaque()) return "null";
  // 2 to 4. Scheme, "://" and host.
  std::string result = scheme_ + "://" + host_;
  // 5. If origin's port is non-null (here: not the scheme's default), ":" and the port.
  if (default_port(scheme_) != port_) result += ":" + std::to_string(port_);
  // 6. Return result.
  return result;
}

bool Origin::operator==(const Origin& other) const {
  return !is_opaque() && scheme_ == other.scheme_ && host_ == other.host_ && port_ == other.port_;
}

}  // namespace agentlock

std::size_t std::hash<agentlock::Origin>::operator()(
    const agentlock::Origin& origin) const noexcept {
  // The host tells origins apart in practice; == does the rest.
  return std::hash<std::string>()(origin.host()) ^ origin.port();
}
