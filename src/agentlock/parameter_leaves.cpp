#include "agentlock/parameter_leaves.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace agentlock {
namespace {

// Python's repr of a float: the shortest digits that read back as the same double,
// as 1.5 between 1e-4 and 1e16 and as 1.5e+16 beyond.
std::string float_text(double value) {
  std::array<char, 64> buffer;
  const auto [end, fault] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::scientific);
  const std::string scientific(buffer.data(), end);
  const std::size_t mark = scientific.find('e');
  if (mark == std::string::npos) return scientific;  // inf, nan
  const int exponent = std::atoi(scientific.c_str() + mark + 1);
  if (exponent < -4 || exponent >= 16) return scientific;

  const bool negative = scientific[0] == '-';
  std::string digits;
  for (const char c : std::string_view(scientific).substr(0, mark)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  if (exponent < 0) {
    digits.insert(0, static_cast<std::size_t>(-exponent), '0');
    digits.insert(1, ".");
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
    digits.insert(whole, ".");
  }
  return negative ? "-" + digits : digits;
}

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

std::string leaf_text(const Parameter& leaf) {
  struct Printer {
    std::string operator()(std::nullptr_t) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(const Parameter::Integer& value) const { return value.digits; }
    std::string operator()(double value) const { return float_text(value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const Parameter::Array&) const { return ""; }
    std::string operator()(const Parameter::Object&) const { return ""; }
  };
  return std::visit(Printer{}, leaf.value());
}

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
