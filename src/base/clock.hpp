#pragma once

namespace agentlock {

/// The wall clock, as a seam: tests hand in one that they move themselves.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Seconds since 1970-01-01T00:00:00Z.
  virtual double now() const = 0;
};

class SystemClock final : public Clock {
 public:
  double now() const override;
};

}  // namespace agentlock
