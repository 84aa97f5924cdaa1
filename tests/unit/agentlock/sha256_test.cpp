#include "agentlock/sha256.hpp"

#include <catch2/catch.hpp>

using agentlock::sha256_hex;

TEST_CASE("SHA-256 gives the standard's own examples", "[unit]") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("hashing in two parts is hashing the whole", "[unit]") {
  CHECK(sha256_hex("a", "bc") == sha256_hex("abc"));
  CHECK(sha256_hex("abc", "") == sha256_hex("abc"));
}
