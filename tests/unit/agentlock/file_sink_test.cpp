#include "agentlock/file_sink.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/file.h>

#include "agentlock/own_file.hpp"
#include "unit/agentlock/log_support.hpp"

using namespace agentlock;
using namespace agentlock::test;

TEST_CASE("while a line is written no other process can lock the log", "[unit]") {
  const TempFolder folder;
  const auto sink = system_file_sink();
  REQUIRE(sink->open(folder / "log"));
  const Descriptor other(::open((folder / "log").c_str(), O_RDWR | O_CLOEXEC));
  REQUIRE(sink->lock());
  CHECK(::flock(other.get(), LOCK_EX | LOCK_NB) != 0);
  sink->unlock();
  CHECK(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
}

TEST_CASE("a process that keeps the log locked fails the log and does not hang it", "[.long]") {
  const TempFolder folder;
  const auto sink = system_file_sink();
  REQUIRE(sink->open(folder / "log"));
  const Descriptor other(::open((folder / "log").c_str(), O_RDWR | O_CLOEXEC));
  REQUIRE(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
  const auto locked = sink->lock();
  REQUIRE_FALSE(locked);
  CHECK(locked.error().code() == ErrorCode::kTimeout);
}
