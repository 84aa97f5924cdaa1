#include "agentlock/keyed_hash.hpp"

#include <cstring>

#include <sodium/randombytes.h>

namespace agentlock {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t random_number() {
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  return number;
}

// The product's two halves joined: each input bit reaches each output bit.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

template <typename Number>
std::uint64_t load(const char* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// At most 8 bytes as one number. Together with their count it says which they are: the
// two loads overlap where there are fewer than 8.
std::uint64_t load_short(const char* bytes, std::size_t count) {
  if (count == 8) return load<std::uint64_t>(bytes);
  if (count >= 4) {
    return load<std::uint32_t>(bytes) << 32U | load<std::uint32_t>(bytes + count - 4);
  }
  if (count == 0) return 0;
  return load<std::uint8_t>(bytes) << 16U | load<std::uint8_t>(bytes + count / 2) << 8U |
         load<std::uint8_t>(bytes + count - 1);
}

// Polynomials are computed modulo this Mersenne prime.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;

std::uint64_t reduce(Wide value) {
  const auto sum =
      static_cast<std::uint64_t>(value & kPrime) + static_cast<std::uint64_t>(value >> 61U);
  return sum >= kPrime ? sum - kPrime : sum;
}

// Spreads a value below kPrime over all 64 bits, as HashIndex uses the upper ones.
std::uint64_t spread(std::uint64_t value) { return mix(value, 0x9E3779B97F4A7C15U); }

}  // namespace

KeyedHash::KeyedHash() : first_key_(random_number() | 1U), second_key_(random_number() | 1U) {}

std::uint64_t KeyedHash::operator()(std::string_view text) const {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = first_key_ ^ text.size();
  for (; left > 8; left -= 8, at += 8) hash = mix(hash ^ load<std::uint64_t>(at), second_key_);
  return mix(mix(hash ^ load_short(at, left), second_key_), first_key_);
}

WindowHash::WindowHash() : base_(random_number() % (kPrime - 1024) + 512) {}

std::uint64_t WindowHash::step(std::uint64_t hash, char c) const {
  return reduce(static_cast<Wide>(hash) * base_ + static_cast<unsigned char>(c) + 1U);
}

std::uint64_t WindowHash::operator()(std::string_view text) const {
  std::uint64_t hash = 0;
  for (const char c : text) hash = step(hash, c);
  return spread(hash);
}

WindowHash::Windows::Windows(const WindowHash& hash, std::string_view text) {
  prefixes_.reserve(text.size() + 1);
  powers_.reserve(text.size() + 1);
  prefixes_.push_back(0);
  powers_.push_back(1);
  for (const char c : text) {
    prefixes_.push_back(hash.step(prefixes_.back(), c));
    powers_.push_back(reduce(static_cast<Wide>(powers_.back()) * hash.base_));
  }
}

std::uint64_t WindowHash::Windows::operator()(std::size_t at, std::size_t length) const {
  const std::uint64_t before = reduce(static_cast<Wide>(prefixes_[at]) * powers_[length]);
  const std::uint64_t whole = prefixes_[at + length];
  return spread(whole >= before ? whole - before : whole + kPrime - before);
}

}  // namespace agentlock
