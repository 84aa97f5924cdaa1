#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentlock {

/// Lowercase hex of bytes.
std::string to_hex(std::span<const std::uint8_t> bytes);
std::string to_hex(std::string_view bytes);

/// The bytes of a hex text of even length, or nothing.
std::optional<std::vector<std::uint8_t>> from_hex(std::string_view hex);

/// RFC 4648 base64 with padding.
std::string to_base64(std::string_view bytes);

/// True if the bytes are well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

/// The longest prefix of at most `max_bytes` bytes that ends between characters.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace agentlock
