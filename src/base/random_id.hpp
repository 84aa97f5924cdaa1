#pragma once

#include <cstddef>
#include <string>

namespace agentlock {

/// `bytes` random bytes as lowercase hex: unguessable.
std::string random_hex(std::size_t bytes);

}  // namespace agentlock
