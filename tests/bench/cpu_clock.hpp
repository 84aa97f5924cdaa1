#pragma once

#include <ctime>

namespace agentlock::bench {

/// Seconds that this thread has run on a core: other processes of a busy machine do
/// not count. Reading it costs some 0.2 us.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds of one core that `work` takes.
template <typename Work>
double cpu_time(Work work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

}  // namespace agentlock::bench
