#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "agentlock/result.hpp"

namespace agentlock {

/// A tool call's parameter: JSON as AgentLock sees it, with the order of members
/// kept, integers at any size and floats apart from integers (1.0 is not 1). Texts are
/// UTF-8.
class Parameter {
 public:
  /// The decimal digits as they were written, with a leading '-' if negative.
  struct Integer {
    std::string digits;
    bool operator==(const Integer&) const = default;
  };
  using Array = std::vector<Parameter>;
  /// Keys are unique; a repeated key keeps its first place and its last value.
  using Object = std::vector<std::pair<std::string, Parameter>>;
  using Value = std::variant<std::nullptr_t, bool, Integer, double, std::string, Array, Object>;

  Parameter() : value_(nullptr) {}
  Parameter(Value value) : value_(std::move(value)) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

/// Parameters of one call with a single text member, as every tool of this
/// project has them ({"url": ...}, {"value": ...}).
Parameter text_parameters(std::string key, std::string text);

/// Any JSON text as a Parameter. kProtocol for what is not JSON (lone surrogates
/// included) or holds a number that no double can hold, kLimit for nesting deeper
/// than 512 levels.
Result<Parameter> parse_parameters(std::string_view json);

}  // namespace agentlock
