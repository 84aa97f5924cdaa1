#pragma once

#include <string>
#include <string_view>

namespace agentlock {

/// SHA-256 (FIPS 180-4) of bytes, as 64 lowercase hex digits.
std::string sha256_hex(std::string_view bytes);

/// The same over `first` followed by `second`, without joining them.
std::string sha256_hex(std::string_view first, std::string_view second);

}  // namespace agentlock
