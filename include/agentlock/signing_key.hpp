#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "agentlock/result.hpp"

namespace agentlock {

/// How receipts are signed. Checkpoints of the log are always Ed25519, so that
/// they can be checked without a secret.
enum class SigningMethod { kEd25519, kHmacSha256 };

/// An Ed25519 public key (RFC 8032).
class PublicKey {
 public:
  /// From 64 lowercase hex digits.
  static Result<PublicKey> from_hex(std::string_view hex);
  /// From a file of 64 hex digits and a newline: `key.pub`.
  static Result<PublicKey> load(const std::filesystem::path& file);

  const std::string& hex() const { return hex_; }
  /// `key_` and the first 8 hex digits of SHA-256 of the 32 bytes.
  std::string key_id() const;
  /// `signature` is 128 lowercase hex digits; anything else does not verify.
  bool verifies(std::string_view bytes, std::string_view signature) const;

  bool operator==(const PublicKey& other) const { return bytes_ == other.bytes_; }

 private:
  friend class SigningKey;
  explicit PublicKey(const std::array<std::uint8_t, 32>& bytes);

  std::array<std::uint8_t, 32> bytes_;
  std::string hex_;
};

/// The key that signs receipts and checkpoints. Its private half lies in memory
/// that is locked against swapping, read-only once set, and wiped at the end.
class SigningKey {
 public:
  /// Reads the key from `file`, or makes one there: 64 hex digits of the seed and a
  /// newline, mode 0600, with its public half beside it as `key.pub`. The path is
  /// absolute (kInvalidArgument) and its folder exists (see ensure_state_folder). kRefused, naming
  /// the path, if folder or file is a link, another user's, open to others or not what it should
  /// be, or if `key.pub` is of another key.
  static Result<SigningKey> load_or_create(const std::filesystem::path& file);

  /// Reads the key from a file that must be there (kNotFound), under the same rules.
  static Result<SigningKey> load(const std::filesystem::path& file);

  /// From the 32 bytes of an Ed25519 seed; `key_id` empty means PublicKey::key_id().
  /// For programs that keep their keys themselves.
  static Result<SigningKey> from_seed(std::span<const std::uint8_t, 32> seed,
                                      std::string key_id = "");

  const PublicKey& public_key() const { return public_; }
  const std::string& public_key_hex() const { return public_.hex(); }
  const std::string& key_id() const { return key_id_; }

  /// Ed25519 signature, 128 lowercase hex digits.
  std::string sign(std::string_view bytes) const;

  /// HMAC-SHA256, 64 lowercase hex digits. Its key is not the seed itself but
  /// HMAC-SHA256 of "agentlock-browser receipt hmac" under the seed: one secret for
  /// two algorithms would be one too few.
  std::string hmac(std::string_view bytes) const;

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const;
  };
  using Secret = std::unique_ptr<std::uint8_t[], Free>;
  SigningKey(Secret secret, PublicKey key, std::string key_id);

  Secret secret_;  // the 64 bytes of libsodium's secret key, then the 32 of the HMAC key
  PublicKey public_;
  std::string key_id_;
};

/// What lies beside a key file: `key.pub`, and `heads` (docs/decision-log.md).
std::filesystem::path public_half_beside(const std::filesystem::path& key_file);
std::filesystem::path heads_beside(const std::filesystem::path& key_file);

/// Makes the folder of a key file (0700, and the folders above it) if it is missing,
/// and checks it: kRefused if it is a link, no folder, another user's, or open to others.
Result<void> ensure_state_folder(const std::filesystem::path& folder);

}  // namespace agentlock
