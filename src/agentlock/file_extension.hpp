#pragma once

#include <string_view>

namespace agentlock {

/// Whether a text in lowercase is a common file extension ("md", "pdf"). A bare name
/// that ends in one is a file and no host, though several are top-level domains too
/// (attacks.md A32).
bool is_file_extension(std::string_view label);

}  // namespace agentlock
