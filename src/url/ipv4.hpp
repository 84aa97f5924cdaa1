#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "url/fault.hpp"

namespace agentlock::url {

/// True if a domain must be read as an IPv4 address, or refused.
/// https://url.spec.whatwg.org/#ends-in-a-number-checker
bool ends_in_a_number(std::string_view domain);

/// https://url.spec.whatwg.org/#concept-ipv4-parser
Parsed<std::uint32_t> parse_ipv4(std::string_view domain);

/// https://url.spec.whatwg.org/#concept-ipv4-serializer
std::string serialize_ipv4(std::uint32_t address);

}  // namespace agentlock::url
