#include "base/clock.hpp"

#include <chrono>

namespace agentlock {

double SystemClock::now() const {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

}  // namespace agentlock
