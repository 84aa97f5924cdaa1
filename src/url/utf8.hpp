#pragma once

#include <string>
#include <string_view>

namespace agentlock::url {

/// The text as well-formed UTF-8: each longest start of a broken sequence becomes
/// one U+FFFD. A byte order mark stays.
/// https://encoding.spec.whatwg.org/#utf-8-decode-without-bom
std::string to_well_formed_utf8(std::string_view bytes);

}  // namespace agentlock::url
