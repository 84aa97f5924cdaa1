#pragma once

#include <span>
#include <string_view>

#include "config/config.hpp"

namespace agentlock::config {

/// How a key's value is written outside of JSON.
enum class Kind { kText, kTextList, kSwitch, kNumber, kViewport };

/// A configuration key: the only place that knows its name, its variable, its type
/// and what it sets.
struct Key {
  std::string_view name;
  std::string_view variable;  ///< of the environment; empty if there is none
  Kind kind;
  Result<void> (*apply)(Config&, const Json&);
};

std::span<const Key> keys();

/// A value of the environment or the command line as the JSON that the file would
/// hold: lists are comma separated, switches are 0/false/no or 1/true/yes.
Result<Json> from_text(const Key& key, std::string_view text);

}  // namespace agentlock::config
