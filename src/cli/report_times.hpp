#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace agentlock::cli::report {

/// A time of the log. Whatever is no time between 1970 and 9999 is none.
class Moment {
 public:
  /// Seconds since 1970.
  static std::optional<Moment> of(double seconds);

  double seconds() const { return static_cast<double>(microseconds_) / 1e6; }
  std::string date() const;     ///< 2026-11-29
  std::string time() const;     ///< 12:00:00.123
  std::string minutes() const;  ///< 12:00:00
  std::string machine() const;  ///< 2026-11-29T12:00:00.123456Z

  auto operator<=>(const Moment&) const = default;

 private:
  explicit Moment(std::int64_t microseconds) : microseconds_(microseconds) {}
  std::int64_t microseconds_;
};

/// "4 ms", "12 s", "3 min", "5 h", "9 days".
std::string duration_words(double seconds);

/// Where a decision's value came from, as the picture tells it.
enum class Lane { kUser, kConfirmed, kAllowlist, kPage, kModel, kUntraced, kOther };
inline constexpr std::size_t kLanes = 7;

enum class Outcome { kAllowed, kDenied, kOther };
inline constexpr std::size_t kOutcomes = 3;

/// How many of each outcome.
using Outcomes = std::array<std::uint64_t, kOutcomes>;

/// How many decisions fell into which stretch of time. There are never more stretches
/// than kMost: when one more is needed, all become twice as long. Empty time costs
/// nothing, so that a log of seconds in each of many weeks keeps its detail.
class OverTime {
 public:
  static constexpr std::size_t kMost = 48;

  void add(Moment moment, Lane lane, Outcome outcome);

  struct Stretch {
    std::array<Outcomes, kLanes> counts{};
  };
  /// By number: stretch n begins at n times width().
  const std::map<std::int64_t, Stretch>& stretches() const { return stretches_; }
  double width() const { return width_; }  ///< seconds

 private:
  void widen();
  double width_ = 1.0 / 256;
  std::map<std::int64_t, Stretch> stretches_;
};

}  // namespace agentlock::cli::report
