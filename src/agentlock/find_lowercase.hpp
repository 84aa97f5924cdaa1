#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace agentlock {

/// Where a text first holds a lowercase token, its ASCII letters in whatever case.
std::optional<std::size_t> find_lowercase(std::string_view text, std::string_view token);

}  // namespace agentlock
