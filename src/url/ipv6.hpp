#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "url/fault.hpp"

namespace agentlock::url {

/// The eight 16-bit pieces of an IPv6 address, first one first.
using Ipv6Address = std::array<std::uint16_t, 8>;

/// Parses what stands between the brackets.
/// https://url.spec.whatwg.org/#concept-ipv6-parser
Parsed<Ipv6Address> parse_ipv6(std::string_view input);

/// Without brackets. https://url.spec.whatwg.org/#concept-ipv6-serializer
std::string serialize_ipv6(const Ipv6Address& address);

}  // namespace agentlock::url
