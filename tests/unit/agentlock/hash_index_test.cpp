#include "agentlock/hash_index.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "agentlock/hash_filter.hpp"

using namespace agentlock;

namespace {

std::set<std::uint64_t> all_with(const HashIndex& index, std::uint64_t hash) {
  std::set<std::uint64_t> numbers;
  const auto found = index.find(hash, [&](std::uint64_t number) {
    numbers.insert(number);
    return false;
  });
  CHECK_FALSE(found);
  return numbers;
}

}  // namespace

TEST_CASE("what was inserted is found under its hash and nothing else is", "[unit]") {
  std::mt19937_64 random(11);
  // Spread evenly; all near the greatest; few different ones; all the same.
  const std::uint64_t masks[] = {~std::uint64_t{0}, 0x3FFFFFFFFFU, std::uint64_t{7} << 60U, 0};
  for (const std::uint64_t mask : masks) {
    HashIndex index;
    std::map<std::uint64_t, std::set<std::uint64_t>> expected;  // by what the index can tell
    const std::uint64_t count = mask == 0 ? 300 : 20000;
    for (std::uint64_t number = 0; number < count; ++number) {
      const std::uint64_t hash = ~mask | (random() & mask);
      index.insert(hash, number);
      expected[hash >> 40U].insert(number);
      if (number % 97 != 0) continue;
      REQUIRE(all_with(index, hash) == expected[hash >> 40U]);
      REQUIRE(index.find(hash, [&](std::uint64_t one) { return one == number; }) == number);
    }
    CHECK(index.size() == count);
    for (const auto& [tag, numbers] : expected) {
      REQUIRE(all_with(index, tag << 40U) == numbers);
    }
    for (int round = 0; round < 1000; ++round) {
      const std::uint64_t hash = random();
      if (!expected.contains(hash >> 40U)) REQUIRE(all_with(index, hash).empty());
    }
  }
}

TEST_CASE("an index grows past the size from which it grows in small steps", "[.long]") {
  std::mt19937_64 random(12);
  HashIndex index;
  std::map<std::uint64_t, std::uint64_t> inserted;
  for (std::uint64_t number = 0; number < 1'000'000; ++number) {
    const std::uint64_t hash = random();
    index.insert(hash, number);
    inserted[hash] = number;
  }
  for (const auto& [hash, number] : inserted) {
    const std::uint64_t meant = number;
    REQUIRE(index.find(hash, [&](std::uint64_t one) { return one == meant; }));
  }
}

TEST_CASE("a filter never forgets, and seldom says yes for nothing", "[unit]") {
  std::mt19937_64 random(13);
  HashFilter filter;
  CHECK_FALSE(filter.may_hold(random()));
  std::set<std::uint64_t> added;
  for (int i = 0; i < 50000; ++i) {
    const std::uint64_t hash = random();
    filter.add(hash);
    added.insert(hash);
  }
  for (const std::uint64_t hash : added) REQUIRE(filter.may_hold(hash));
  int wrong = 0;
  for (int i = 0; i < 50000; ++i) wrong += filter.may_hold(random()) ? 1 : 0;
  CHECK(wrong < 5000);
}
