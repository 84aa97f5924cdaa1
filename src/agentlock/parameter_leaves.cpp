#include "agentlock/parameter_leaves.hpp"

namespace agentlock {
namespace {

void walk(const Parameter& parameter, const std::string& path, std::vector<ParameterLeaf>& leaves) {
  if (const auto* members = std::get_if<Parameter::Object>(&parameter.value())) {
    for (const auto& [key, value] : *members) {
      walk(value, path.empty() ? key : path + "." + key, leaves);
    }
  } else if (const auto* items = std::get_if<Parameter::Array>(&parameter.value())) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      walk((*items)[i], path + "[" + std::to_string(i) + "]", leaves);
    }
  } else if (!std::holds_alternative<std::nullptr_t>(parameter.value())) {
    leaves.push_back({path, leaf_text(parameter)});
  }
}

}  // namespace

std::vector<ParameterLeaf> parameter_leaves(const Parameter& parameters) {
  std::vector<ParameterLeaf> leaves;
  walk(parameters, "", leaves);
  return leaves;
}

bool is_empty(const Parameter& parameters) {
  const Parameter::Value& value = parameters.value();
  if (const auto* members = std::get_if<Parameter::Object>(&value)) return members->empty();
  if (const auto* items = std::get_if<Parameter::Array>(&value)) return items->empty();
  return std::holds_alternative<std::nullptr_t>(value);
}

}  // namespace agentlock
