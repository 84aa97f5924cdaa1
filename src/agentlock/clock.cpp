#include "agentlock/clock.hpp"

namespace agentlock {

double SystemClock::now() const {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

std::chrono::steady_clock::time_point SystemClock::monotonic() const {
  return std::chrono::steady_clock::now();
}

}  // namespace agentlock
