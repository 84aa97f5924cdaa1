#include "tools/schema.hpp"

#include <nlohmann/json.hpp>

namespace agentlock::tools {
namespace {

Json described(Json schema, std::string description) {
  if (!description.empty()) schema["description"] = std::move(description);
  return schema;
}

}  // namespace

Json text_schema(std::string description) {
  return described({{"type", "string"}}, std::move(description));
}

Json boolean_schema(std::string description) {
  return described({{"type", "boolean"}}, std::move(description));
}

Json integer_schema(std::int64_t minimum, std::int64_t maximum, std::string description) {
  return described({{"type", "integer"}, {"minimum", minimum}, {"maximum", maximum}},
                   std::move(description));
}

Json list_schema(Json items) {
  Json schema = {{"type", "array"}};
  schema["items"] = std::move(items);
  return schema;
}

Json object_schema(std::initializer_list<std::pair<const char*, Json>> properties,
                   std::initializer_list<const char*> required) {
  Json schema = {{"type", "object"}};
  Json members = Json::object();
  for (const auto& [name, property] : properties) members[name] = property;
  if (!members.empty()) schema["properties"] = std::move(members);
  if (required.size() > 0) {
    Json names = Json::array();
    for (const char* name : required) names.push_back(name);
    schema["required"] = std::move(names);
  }
  schema["additionalProperties"] = false;
  return schema;
}

}  // namespace agentlock::tools
