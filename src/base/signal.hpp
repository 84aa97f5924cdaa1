#pragma once

#include <functional>
#include <memory>

#include "base/task.hpp"

namespace agentlock {

/// Something changed: coroutines wait for it with a condition and a deadline, so
/// that nothing ever waits for time alone. One thread; the signal outlives its
/// waits.
class Signal {
 public:
  explicit Signal(Executor executor);
  ~Signal();
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  /// Wakes every wait, so that it looks at its condition again.
  void notify();

  /// True as soon as the condition holds, false at the deadline.
  Task<bool> until(std::function<bool()> condition, Deadline deadline);

 private:
  struct Waits;
  Executor executor_;
  std::unique_ptr<Waits> waits_;
};

}  // namespace agentlock
