#include "url/host.hpp"

#include <algorithm>

#include "url/domain.hpp"
#include "url/ipv4.hpp"
#include "url/ipv6.hpp"
#include "url/percent.hpp"
#include "url/utf8.hpp"

namespace agentlock::url {
namespace {

/// https://url.spec.whatwg.org/#concept-opaque-host-parser
Parsed<std::string> parse_opaque_host(std::string_view input) {
  // 1. If input contains a forbidden host code point, return failure.
  if (std::ranges::any_of(input, is_forbidden_host_code_point)) {
    return refuse(Fault::kHostInvalidCodePoint);
  }
  // 2 and 3. Validation errors only.
  // 4. Return the UTF-8 percent-encoding with the C0 control percent-encode set.
  return percent_encode(input, kC0ControlSet);
}

}  // namespace

Parsed<std::string> parse_host(std::string_view input, HostKind kind) {
  // 1. If input starts with "[", then it must end with "]" and hold an IPv6 address.
  if (input.starts_with('[')) {
    if (!input.ends_with(']')) return refuse(Fault::kIpv6Unclosed);
    const auto address = parse_ipv6(input.substr(1, input.size() - 2));
    if (!address) return refuse(address.error());
    return "[" + serialize_ipv6(*address) + "]";
  }
  // 2. If isOpaque is true, then return the result of opaque-host parsing input.
  if (kind == HostKind::kOpaque) return parse_opaque_host(input);
  // 3. Assert: input is not the empty string. 4. A validation error only.
  // 5. Let domain be the UTF-8 decoding without BOM of input's percent-decoding.
  const std::string domain = to_well_formed_utf8(percent_decode(input));
  // 6 and 7. Let asciiDomain be the result of the domain parser; or return failure.
  auto ascii_domain = parse_domain(domain);
  if (!ascii_domain) return ascii_domain;
  // 8. If asciiDomain ends in a number, return the result of IPv4 parsing it.
  if (ends_in_a_number(*ascii_domain)) {
    const auto address = parse_ipv4(*ascii_domain);
    if (!address) return refuse(address.error());
    return serialize_ipv4(*address);
  }
  // 9. Return asciiDomain.
  return ascii_domain;
}

}  // namespace agentlock::url
