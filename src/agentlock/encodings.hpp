#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agentlock {

// Ways to write a token that a page's reader may take over unseen. Tokens are only
// ever encoded and compared; nothing is decoded.
// Source: agentlock-engine.md, section 5.

enum class Encoding : std::uint8_t {
  kBase64,     ///< standard, padded, lowercased
  kHex,        ///< lowercase
  kPercent,    ///< of `.`, `@`, `:` and `/` alone
  kInterior0,  ///< what base64 of any text holds that has the token at its start, ...
  kInterior1,  ///< ... 1 byte (mod 3) after its start,
  kInterior2,  ///< ... 2 bytes after it
};

inline constexpr std::string_view kHexDigits = "0123456789abcdef";
/// By their values; in lowercase a letter has two.
inline constexpr std::string_view kLowerBase64Digits =
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encode(std::string_view token, Encoding encoding);
/// The same into a text whose memory is used again.
void encode(std::string_view token, Encoding encoding, std::string& encoded);

/// The shortest encoded form that untrusted text is searched for, in code points.
inline constexpr std::size_t kMinEncodedLength = 8;

/// Whether the form is looked for inside the parameters themselves (direction A), if
/// it belongs to a token of kind url or email.
bool is_needle(std::string_view encoded, Encoding encoding);

/// Bytes that the shortest needle has.
inline constexpr std::size_t kMinNeedleBytes = 10;

/// "url" (percent form), "hex" or "base64": by its look, not by its origin.
std::string_view needle_kind(std::string_view needle);

}  // namespace agentlock
