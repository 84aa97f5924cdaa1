#pragma once

#include <string>
#include <string_view>

#include "url/fault.hpp"

namespace agentlock::url {

/// True for what no host may hold: white space controls, space and #/:<>?@[\]^|
/// https://url.spec.whatwg.org/#forbidden-host-code-point
bool is_forbidden_host_code_point(char c);

/// Domain to ASCII, not strict. `domain` is well-formed UTF-8, percent-decoded and
/// not empty.
/// https://url.spec.whatwg.org/#concept-domain-to-ascii
Parsed<std::string> parse_domain(std::string_view domain);

/// Domain to Unicode, for who compares what a person sees; labels that can't be
/// decoded stay as they are.
/// https://url.spec.whatwg.org/#concept-domain-to-unicode
std::string domain_to_unicode(std::string_view domain);

}  // namespace agentlock::url
