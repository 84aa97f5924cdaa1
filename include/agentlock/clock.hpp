#pragma once

#include <chrono>

namespace agentlock {

/// All that the library knows of time, handed in by who uses it: tests hand in one
/// that they move themselves.
class Clock {
 public:
  virtual ~Clock() = default;

  /// The wall clock: seconds since 1970-01-01T00:00:00Z. It may be set, also back.
  virtual double now() const = 0;

  /// For how long something has waited; never goes back.
  virtual std::chrono::steady_clock::time_point monotonic() const = 0;
};

/// The system's own two clocks.
class SystemClock final : public Clock {
 public:
  double now() const override;
  std::chrono::steady_clock::time_point monotonic() const override;
};

}  // namespace agentlock
