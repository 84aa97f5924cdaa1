#pragma once

#include <string_view>

#include "url/fault.hpp"
#include "url/record.hpp"

namespace agentlock::url {

/// Parses and serialises. `input` is UTF-8, well-formed or not; `base` may be null.
/// Linear in the length of both, but for the host (see domain.cpp).
/// https://url.spec.whatwg.org/#concept-basic-url-parser
Parsed<Record> parse_record(std::string_view input, const Record* base);

}  // namespace agentlock::url
