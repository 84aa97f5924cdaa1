#include "cli/report_times.hpp"

#include <limits>

#include <catch2/catch.hpp>

using namespace agentlock::cli::report;

namespace {

std::uint64_t total(const OverTime& over_time) {
  std::uint64_t sum = 0;
  for (const auto& [number, stretch] : over_time.stretches()) {
    for (const Outcomes& outcomes : stretch.counts) {
      for (const std::uint64_t count : outcomes) sum += count;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("a moment is written for people and for machines", "[unit]") {
  const auto moment = Moment::of(1796029450.74726);
  REQUIRE(moment);
  CHECK(moment->date() == "2026-11-30");
  CHECK(moment->time() == "09:04:10.747");
  CHECK(moment->minutes() == "09:04:10");
  CHECK(moment->machine() == "2026-11-30T09:04:10.747260Z");
}

TEST_CASE("what is no time between 1970 and 9999 is none", "[unit]") {
  CHECK(Moment::of(0));
  CHECK(Moment::of(253'402'300'799.5)->machine() == "9999-12-31T23:59:59.500000Z");
  for (const double no :
       {-0.001, 253'402'300'800.0, 1e300, -1e300, std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_FALSE(Moment::of(no));
  }
}

TEST_CASE("durations are told in the unit that fits", "[unit]") {
  CHECK(duration_words(0) == "0 ms");
  CHECK(duration_words(0.0015) == "1.5 ms");
  CHECK(duration_words(0.651) == "651 ms");
  CHECK(duration_words(1) == "1.0 s");
  CHECK(duration_words(59) == "59 s");
  CHECK(duration_words(300) == "5.0 min");
  CHECK(duration_words(36'000) == "10 h");
  CHECK(duration_words(86'400 * 12) == "12 days");
}

TEST_CASE("the picture's stretches are few, whatever comes, and lose nothing", "[unit]") {
  OverTime over_time;
  const Moment late = *Moment::of(1.8e9);
  for (int i = 0; i < 10'000; ++i) {
    over_time.add(*Moment::of(1.7e9 + i * i * 0.01), Lane::kPage, Outcome::kDenied);
  }
  over_time.add(late, Lane::kUser, Outcome::kAllowed);
  over_time.add(*Moment::of(0), Lane::kModel, Outcome::kOther);
  over_time.add(*Moment::of(2e11), Lane::kModel, Outcome::kOther);
  CHECK(over_time.stretches().size() <= OverTime::kMost);
  CHECK(total(over_time) == 10'003);
  for (const auto& [number, stretch] : over_time.stretches()) {
    CHECK(Moment::of(static_cast<double>(number) * over_time.width()));
  }
}

TEST_CASE("a few decisions far apart keep a stretch of their own each", "[unit]") {
  OverTime over_time;
  for (const double seconds : {1.7e9, 1.7e9 + 0.02, 1.7e9 + 0.5, 1.79e9}) {
    over_time.add(*Moment::of(seconds), Lane::kUser, Outcome::kAllowed);
  }
  CHECK(over_time.stretches().size() == 4);
  CHECK(over_time.width() < 0.01);
}
