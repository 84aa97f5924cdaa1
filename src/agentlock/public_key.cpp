#include <array>
#include <cerrno>
#include <cstdint>
#include <string>

#include <fcntl.h>
#include <sodium.h>

#include "agentlock/own_file.hpp"
#include "agentlock/sha256.hpp"
#include "agentlock/signing_key.hpp"
#include "base/encoding.hpp"

namespace agentlock {
namespace {

constexpr std::string_view kLowerHex = "0123456789abcdef";

bool is_lower_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of(kLowerHex) == std::string_view::npos;
}

std::string_view as_text(const std::array<std::uint8_t, 32>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

PublicKey::PublicKey(const std::array<std::uint8_t, 32>& bytes)
    : bytes_(bytes), hex_(to_hex(bytes)) {}

Result<PublicKey> PublicKey::from_hex(std::string_view hex) {
  if (!is_lower_hex(hex, 64)) {
    return fail(ErrorCode::kInvalidArgument, "a public key is 64 lowercase hex digits");
  }
  const auto decoded = agentlock::from_hex(hex);
  std::array<std::uint8_t, 32> bytes{};
  std::copy(decoded->begin(), decoded->end(), bytes.begin());
  return PublicKey(bytes);
}

Result<PublicKey> PublicKey::load(const std::filesystem::path& file) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!open.is_open()) {
    const bool missing = errno == ENOENT;
    auto failure = system_failure(file, "cannot be opened");
    if (missing) return fail(ErrorCode::kNotFound, failure.value().message());
    return failure;
  }
  std::array<char, 66> text{};
  const ssize_t size = read_fully(open.get(), text.data(), text.size(), 0);
  if (size < 0) return system_failure(file, "cannot be read");
  std::string_view hex(text.data(), static_cast<std::size_t>(size));
  if (hex.size() == 65 && hex.back() == '\n') hex.remove_suffix(1);
  auto key = from_hex(hex);
  if (!key) {
    return fail(ErrorCode::kInvalidArgument,
                file.string() + " holds no public key (64 hex digits and a newline)");
  }
  return key;
}

std::string PublicKey::key_id() const { return "key_" + sha256_hex(as_text(bytes_)).substr(0, 8); }

bool PublicKey::verifies(std::string_view bytes, std::string_view signature) const {
  if (!is_lower_hex(signature, crypto_sign_BYTES * 2)) return false;
  const auto decoded = agentlock::from_hex(signature);
  return crypto_sign_verify_detached(decoded->data(),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     bytes.size(), bytes_.data()) == 0;
}

}  // namespace agentlock
