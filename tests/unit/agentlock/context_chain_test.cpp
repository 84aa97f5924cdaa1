#include "agentlock/context_chain.hpp"

#include <string_view>

#include <catch2/catch.hpp>

#include "agentlock/sha256.hpp"

using namespace agentlock;

TEST_CASE("the context chain starts at the hash of nothing", "[unit]") {
  CHECK(ContextChain().head() == sha256_hex(""));
}

// Expected values by Python's hashlib over the six parts joined by zero bytes.
TEST_CASE("each entry's hash covers the one before it and all of its own parts", "[unit]") {
  ContextChain chain;
  const std::string content = sha256_hex("hello");
  REQUIRE(chain.add(content, "user_message", "authoritative", "operator", 1754500000.123456));
  CHECK(chain.head() == "ae9755a9d8750031c270db033fb1bcff1aa439401bcb24a9624d852d373ff195");
  REQUIRE(chain.add(content, "web_content", "untrusted", "browser.snapshot", 1754500001.5));
  CHECK(chain.head() == "24994edb251c2169c8a14812ac08647b3974d1b608b9d4df2a503dc97db12a61");
}

TEST_CASE("an entry whose parts could be read two ways is refused, and the head stays", "[unit]") {
  ContextChain chain;
  const std::string before = chain.head();
  using namespace std::string_view_literals;
  CHECK_FALSE(chain.add("", "a\0b"sv, "untrusted", "w", 0));
  CHECK_FALSE(chain.add("", "a", "untrusted", "\xff", 0));
  CHECK(chain.head() == before);
}
