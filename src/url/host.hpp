#pragma once

#include <string>
#include <string_view>

#include "url/fault.hpp"

namespace agentlock::url {

/// Which of the two rules a host is read by: special schemes have domains and
/// addresses, all others a string that nobody interprets.
enum class HostKind { kDomain, kOpaque };

/// Parses a host and gives its serialisation. `input` is well-formed UTF-8, and not
/// empty if `kind` is kDomain.
/// https://url.spec.whatwg.org/#concept-host-parser
Parsed<std::string> parse_host(std::string_view input, HostKind kind);

}  // namespace agentlock::url
