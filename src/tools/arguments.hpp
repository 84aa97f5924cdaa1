#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agentlock/result.hpp"
#include "base/json.hpp"

namespace agentlock::tools {

/// A call's arguments, checked against what the tool's input schema says: a member
/// that is not named, or of another type, is an error that names it.
class Arguments {
 public:
  static Result<Arguments> parse(const Json& arguments, std::initializer_list<const char*> texts,
                                 std::initializer_list<const char*> integers = {});

  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;

 private:
  explicit Arguments(const Json& arguments);
  std::shared_ptr<const Json> values_;
};

}  // namespace agentlock::tools
