#include "cli/report_times.hpp"

#include <cmath>
#include <cstdio>

#include "agentlock/log_line.hpp"

namespace agentlock::cli::report {

std::optional<Moment> Moment::of(double seconds) {
  constexpr double kYear10000 = 253'402'300'800;
  if (!(seconds >= 0) || seconds >= kYear10000) return std::nullopt;
  return Moment(static_cast<std::int64_t>(std::floor(seconds * 1e6)));
}

std::string Moment::date() const { return iso_time(microseconds_).substr(0, 10); }
std::string Moment::time() const { return iso_time(microseconds_).substr(11, 12); }
std::string Moment::minutes() const { return iso_time(microseconds_).substr(11, 8); }
std::string Moment::machine() const { return iso_time(microseconds_); }

std::string duration_words(double seconds) {
  struct Unit {
    double size;
    double below;
    const char* name;
  };
  constexpr Unit kUnits[] = {{0.001, 0.9995, "ms"},
                             {1, 119.5, "s"},
                             {60, 7'170, "min"},
                             {3'600, 172'800, "h"},
                             {86'400, 1e18, "days"}};
  std::array<char, 48> text{"too long to tell"};
  for (const Unit& unit : kUnits) {
    if (seconds >= unit.below) continue;
    const double amount = seconds / unit.size;
    // One decimal where the whole number would tell little.
    const int decimals = amount < 9.95 && amount > 0.05 ? 1 : 0;
    std::snprintf(text.data(), text.size(), "%.*f %s", decimals, amount, unit.name);
    break;
  }
  return text.data();
}

void OverTime::add(Moment moment, Lane lane, Outcome outcome) {
  const auto number = [&] {
    return static_cast<std::int64_t>(std::floor(moment.seconds() / width_));
  };
  while (!stretches_.contains(number()) && stretches_.size() >= kMost) widen();
  ++stretches_[number()].counts[static_cast<std::size_t>(lane)][static_cast<std::size_t>(outcome)];
}

void OverTime::widen() {
  width_ *= 2;
  std::map<std::int64_t, Stretch> wider;
  for (const auto& [number, stretch] : stretches_) {
    Stretch& into = wider[number / 2];  // numbers are not negative
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome) {
        into.counts[lane][outcome] += stretch.counts[lane][outcome];
      }
    }
  }
  stretches_ = std::move(wider);
}

}  // namespace agentlock::cli::report
