#include "mcp/request_state.hpp"

#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/encoding.hpp"

namespace agentlock::mcp {
namespace {

constexpr std::size_t kNumberBytes = 24;
constexpr std::size_t kNumberDigits = kNumberBytes * 2;

std::string hex_of(const std::uint8_t* bytes, std::size_t size) {
  return to_hex(std::span<const std::uint8_t>(bytes, size));
}

}  // namespace

std::string call_digest(std::string_view tool, const Json& arguments) {
  // Sorted members: a client may write them anew in another order.
  const std::string canonical =
      nlohmann::json(arguments).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string text = std::string(tool) + '\0' + canonical;
  std::array<std::uint8_t, crypto_generichash_BYTES> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const std::uint8_t*>(text.data()),
                     text.size(), nullptr, 0);
  return hex_of(hash.data(), hash.size());
}

RequestStates::RequestStates() {
  static_assert(crypto_auth_hmacsha256_KEYBYTES == 32);
  randombytes_buf(key_.data(), key_.size());
}

std::string RequestStates::seal(std::string_view number, std::string_view digest) const {
  const std::string text = std::string(number) + ':' + std::string(digest);
  std::array<std::uint8_t, crypto_auth_hmacsha256_BYTES> mac{};
  crypto_auth_hmacsha256(mac.data(), reinterpret_cast<const std::uint8_t*>(text.data()),
                         text.size(), key_.data());
  return hex_of(mac.data(), mac.size());
}

RequestStates::Made RequestStates::make(std::string_view digest) const {
  std::array<std::uint8_t, kNumberBytes> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  std::string number = hex_of(bytes.data(), bytes.size());
  return {number + seal(number, digest), number};
}

std::string RequestStates::number_of(std::string_view state, std::string_view digest) const {
  constexpr std::size_t kStateDigits = kNumberDigits + crypto_auth_hmacsha256_BYTES * 2;
  if (state.size() != kStateDigits) return "";
  const std::string number(state.substr(0, kNumberDigits));
  const std::string expected = seal(number, digest);
  const std::string_view given = state.substr(kNumberDigits);
  return sodium_memcmp(expected.data(), given.data(), expected.size()) == 0 ? number : "";
}

}  // namespace agentlock::mcp
