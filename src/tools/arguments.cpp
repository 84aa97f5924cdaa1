#include "tools/arguments.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace agentlock::tools {
namespace {

bool among(std::string_view name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

}  // namespace

Arguments::Arguments(const Json& arguments) : values_(std::make_shared<const Json>(arguments)) {}

Result<Arguments> Arguments::parse(const Json& arguments, std::initializer_list<const char*> texts,
                                   std::initializer_list<const char*> integers) {
  if (!arguments.is_object()) {
    return fail(ErrorCode::kInvalidArgument, "The arguments must be an object.");
  }
  for (const auto& [name, value] : arguments.items()) {
    if (among(name, texts)) {
      if (!value.is_string()) {
        return fail(ErrorCode::kInvalidArgument, "The argument " + name + " must be a text.");
      }
    } else if (among(name, integers)) {
      if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
        return fail(ErrorCode::kInvalidArgument,
                    "The argument " + name + " must be a whole number of 1 or more.");
      }
    } else {
      std::string known;
      for (const auto* list : {&texts, &integers}) {
        for (const char* one : *list) known += (known.empty() ? "" : ", ") + std::string(one);
      }
      return fail(
          ErrorCode::kInvalidArgument,
          "There is no such argument" + (known.empty() ? std::string(": this tool takes none.")
                                                       : "; this tool takes " + known + "."));
    }
  }
  return Arguments(arguments);
}

std::optional<std::string> Arguments::text(std::string_view name) const {
  const Json* value = member(*values_, name);
  if (value == nullptr) return std::nullopt;
  return value->get<std::string>();
}

std::optional<std::int64_t> Arguments::integer(std::string_view name) const {
  const Json* value = member(*values_, name);
  if (value == nullptr) return std::nullopt;
  return value->get<std::int64_t>();
}

}  // namespace agentlock::tools
