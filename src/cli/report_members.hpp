#pragma once

#include <initializer_list>
#include <string_view>

#include "base/json.hpp"
#include "cli/report_model.hpp"

namespace agentlock::cli::report {

/// A member as an excerpt: a text as it is, anything else as JSON; empty if it is
/// missing or null.
Excerpt text_member(const Json& object, std::string_view key, std::size_t most = kShortText);
bool true_member(const Json& object, std::string_view key);
/// 0 if it is missing, negative or no integer.
std::uint64_t count_member(const Json& object, std::string_view key);

/// The members of a value, nested ones by their path, without those of the object
/// itself that `without` names. The first 40, and how many more there are.
Members members_in(const Json& value, std::initializer_list<std::string_view> without = {},
                   std::size_t most_text = kShortText);

}  // namespace agentlock::cli::report
