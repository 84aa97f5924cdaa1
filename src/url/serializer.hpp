#pragma once

#include "url/record.hpp"

namespace agentlock::url {

/// Fills in `href` and `fragment_start` from the other parts.
/// https://url.spec.whatwg.org/#concept-url-serializer
void serialize_into(Record& record);

}  // namespace agentlock::url
