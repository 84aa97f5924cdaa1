#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agentlock/result.hpp"

namespace agentlock {

/// Who a page, a frame or a request target belongs to: a scheme, a host and a
/// port, or opaque (data:, javascript:, file:, sandboxed frames and the like).
///
/// Source: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin
/// without the domain part, which document.domain alone can set. Get one from
/// Url::origin().
class Origin {
 public:
  /// An opaque origin: equal to nothing, not even to a copy of itself.
  static Origin opaque() { return Origin(); }

  /// Reads an entry of the operator's allowlist: `https://host[:port]` or
  /// `http://host[:port]`, with at most one slash after it; a bare `host[:port]`
  /// means https. White space around the entry is dropped, all else that is no
  /// origin (path, query, fragment, user name, `*`, another scheme) is an error
  /// that names the entry and says what to write instead (kInvalidArgument). Never opaque.
  static Result<Origin> parse_entry(std::string_view entry);

  bool is_opaque() const { return scheme_.empty(); }

  /// Without the colon: "https". Empty if opaque.
  const std::string& scheme() const { return scheme_; }
  /// As the URL serialises it: ASCII, IPv6 in brackets. Empty if opaque.
  const std::string& host() const { return host_; }
  /// The port in force: the scheme's default where the URL named none. 0 if opaque.
  std::uint16_t port() const { return port_; }

  /// "https://host", "https://host:8443", or "null" if opaque.
  /// https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
  std::string serialize() const;

  /// Same scheme, host and port. An opaque origin equals nothing, so it is never
  /// found in a container of origins either.
  bool operator==(const Origin& other) const;

 private:
  friend class Url;

  Origin() = default;
  Origin(std::string scheme, std::string host, std::uint16_t port)
      : scheme_(std::move(scheme)), host_(std::move(host)), port_(port) {}

  std::string scheme_;
  std::string host_;
  std::uint16_t port_ = 0;
};

/// The port that a scheme's URLs leave out: 443 for https, 80 for http and so on;
/// nothing for schemes that have none.
/// https://url.spec.whatwg.org/#default-port
std::optional<std::uint16_t> default_port(std::string_view scheme);

}  // namespace agentlock

/// For std::unordered_map and std::unordered_set. There is no order on purpose:
/// one that agrees with == cannot exist while opaque origins equal nothing.
template <>
struct std::hash<agentlock::Origin> {
  std::size_t operator()(const agentlock::Origin& origin) const noexcept;
};
