#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "base/json.hpp"

namespace agentlock::tools {

/// JSON Schema in what draft-07 and 2020-12 share: closed objects, plain types, no
/// $ref, no alternatives (mcp.md, section 0).
Json text_schema(std::string description = "");
Json boolean_schema(std::string description = "");
Json integer_schema(std::int64_t minimum, std::int64_t maximum, std::string description = "");
Json list_schema(Json items);
Json object_schema(std::initializer_list<std::pair<const char*, Json>> properties,
                   std::initializer_list<const char*> required = {});

}  // namespace agentlock::tools
