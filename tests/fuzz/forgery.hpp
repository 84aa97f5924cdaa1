#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace agentlock::fuzz {

/// What someone could make of a log who has all but the key: bytes and lines changed,
/// removed, moved and copied, members exchanged between lines, and, if the input says
/// so, all hashes and links computed anew, so that only signatures can tell.
std::string forged(const std::string& log, const std::uint8_t* data, std::size_t size);

}  // namespace agentlock::fuzz
