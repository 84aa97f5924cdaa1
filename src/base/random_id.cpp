#include "base/random_id.hpp"

#include <cstdint>
#include <vector>

#include <sodium.h>

#include "base/encoding.hpp"

namespace agentlock {

std::string random_hex(std::size_t bytes) {
  std::vector<std::uint8_t> random(bytes);
  randombytes_buf(random.data(), random.size());
  return to_hex(random);
}

}  // namespace agentlock
