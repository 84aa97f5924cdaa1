#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentlock {

// What stands behind an encoding. Used to find page text in a value, never to find
// the operator's: a wrong guess costs nothing, as it is found nowhere.

/// What a value could stand for: percent form (up to three times), base64, base64url,
/// base32, hex in several spellings, character codes, HTML entities, backslash
/// escapes, the value backwards, rot13; and what those stand for in turn. UTF-8, none
/// equal to the value; a bounded number of them.
std::vector<std::string> decodings(std::string_view value);

/// The words of a long text that are written in percent form (once or twice), base64
/// or base64url, decoded. Linear in the text.
std::vector<std::string> encoded_pieces(std::string_view text);

/// Percent-decoded until nothing changes, at most three times; what gives no UTF-8
/// stays as it is.
std::string percent_decoded(std::string_view text);

/// The ways to write an IPv4 address as a host: decimal, hex, octal, as one number or
/// as four. Empty if `host` is no dotted IPv4 address.
std::vector<std::string> ipv4_spellings(std::string_view host);

}  // namespace agentlock
