// The secret that makes receipts worth something, and where it lies.
//
// What could go wrong is less the cryptography, which is libsodium's, than the
// file: a folder that someone else planted, a link that leads elsewhere, a file
// that others can read, a second server that makes another key at the same
// moment. So everything is opened relative to a folder that was itself opened
// without following a link and then examined through its descriptor (no path is
// looked at twice), and a new file appears under its name only when it is whole.
//
// The seed passes through two small buffers on its way from or to the file;
// both are wiped. Everything after lives in one block of guarded memory.

#include "agentlock/signing_key.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>

#include "agentlock/own_file.hpp"
#include "base/encoding.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kSignSize = crypto_sign_SECRETKEYBYTES;
constexpr std::size_t kHmacSize = crypto_auth_hmacsha256_KEYBYTES;
constexpr std::size_t kSeedSize = crypto_sign_SEEDBYTES;
constexpr std::size_t kFileSize = kSeedSize * 2 + 1;
constexpr std::string_view kHmacPurpose = "agentlock-browser receipt hmac";

const unsigned char* as_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Bytes on the stack that don't outlive their use.
template <std::size_t N>
struct Wiped {
  std::array<std::uint8_t, N> bytes{};
  Wiped() = default;
  Wiped(const Wiped&) = delete;
  ~Wiped() { sodium_memzero(bytes.data(), N); }
  char* text() { return reinterpret_cast<char*>(bytes.data()); }
};

Result<SigningKey> read_key(const Descriptor& open, const std::filesystem::path& file) {
  struct stat status{};
  if (::fstat(open.get(), &status) != 0) return system_failure(file, "cannot be examined");
  if ((status.st_mode & 0077U) != 0) {
    return fail(ErrorCode::kRefused, file.string() + " is open to others (chmod 600)");
  }
  Wiped<kFileSize + 1> text;
  const ssize_t size = read_fully(open.get(), text.text(), text.bytes.size(), 0);
  if (size < 0) return system_failure(file, "cannot be read");
  Wiped<kSeedSize> seed;
  std::size_t decoded = 0;
  const bool is_key = size == static_cast<ssize_t>(kFileSize) &&
                      text.bytes[kFileSize - 1] == '\n' &&
                      sodium_hex2bin(seed.bytes.data(), kSeedSize, text.text(), kSeedSize * 2,
                                     nullptr, &decoded, nullptr) == 0 &&
                      decoded == kSeedSize;
  if (!is_key) {
    return fail(ErrorCode::kRefused,
                file.string() + " holds no signing key (64 hex digits and a newline)");
  }
  return SigningKey::from_seed(seed.bytes);
}

Result<void> create_key(const Descriptor& folder, const std::filesystem::path& file) {
  Wiped<kSeedSize> seed;
  randombytes_buf(seed.bytes.data(), kSeedSize);
  Wiped<kFileSize + 1> text;
  sodium_bin2hex(text.text(), kFileSize, seed.bytes.data(), kSeedSize);
  text.bytes[kFileSize - 1] = '\n';
  // If another server was faster, its key is the key.
  AGENTLOCK_TRY(made, create_whole(folder, file, 0600, std::string_view(text.text(), kFileSize)));
  static_cast<void>(made);
  return {};
}

// The public half beside the private one is what verification is pinned to, so one
// that belongs to another key is never overwritten: someone replaced one of the two.
Result<void> ensure_public_half(const Descriptor& folder, const std::filesystem::path& file,
                                const PublicKey& key) {
  const std::filesystem::path public_file = public_half_beside(file);
  AGENTLOCK_TRY(open, open_own_file(folder, public_file, O_RDONLY));
  if (!open) {
    AGENTLOCK_TRY(made, create_whole(folder, public_file, 0644, key.hex() + '\n'));
    if (made) return {};
    AGENTLOCK_TRY(again, open_own_file(folder, public_file, O_RDONLY));
    open = std::move(again);
  }
  std::array<char, kFileSize + 1> text{};
  const ssize_t size = open ? read_fully(open->get(), text.data(), text.size(), 0) : -1;
  if (size < 0) return system_failure(public_file, "cannot be read");
  if (std::string_view(text.data(), static_cast<std::size_t>(size)) != key.hex() + '\n') {
    return fail(ErrorCode::kRefused, public_file.string() + " is not the public half of " +
                                         file.string() + ": one of the two was replaced");
  }
  return {};
}

}  // namespace

void SigningKey::Free::operator()(std::uint8_t* memory) const { sodium_free(memory); }

SigningKey::SigningKey(Secret secret, PublicKey key, std::string key_id)
    : secret_(std::move(secret)), public_(std::move(key)), key_id_(std::move(key_id)) {}

Result<SigningKey> SigningKey::from_seed(std::span<const std::uint8_t, 32> seed,
                                         std::string key_id) {
  if (sodium_init() < 0) return fail(ErrorCode::kInternal, "libsodium cannot be used here");
  Secret secret(static_cast<std::uint8_t*>(sodium_malloc(kSignSize + kHmacSize)));
  if (!secret) return fail(ErrorCode::kInternal, "no guarded memory for the signing key");
  std::array<std::uint8_t, 32> public_bytes{};
  crypto_sign_seed_keypair(public_bytes.data(), secret.get(), seed.data());
  crypto_auth_hmacsha256(secret.get() + kSignSize, as_bytes(kHmacPurpose), kHmacPurpose.size(),
                         seed.data());
  sodium_mprotect_readonly(secret.get());
  PublicKey key(public_bytes);
  if (key_id.empty()) key_id = key.key_id();
  return SigningKey(std::move(secret), std::move(key), std::move(key_id));
}

Result<SigningKey> SigningKey::load(const std::filesystem::path& file) {
  AGENTLOCK_TRY(folder, open_own_folder(file.parent_path()));
  AGENTLOCK_TRY(found, open_own_file(folder, file, O_RDONLY));
  if (!found) return fail(ErrorCode::kNotFound, file.string() + " does not exist");
  return read_key(*found, file);
}

Result<SigningKey> SigningKey::load_or_create(const std::filesystem::path& file) {
  if (sodium_init() < 0) return fail(ErrorCode::kInternal, "libsodium cannot be used here");
  if (!file.is_absolute() || !file.has_filename() || file.filename() == "key.pub") {
    return fail(ErrorCode::kInvalidArgument,
                "the signing key needs an absolute path to a file, not " + file.string());
  }
  auto key = load(file);
  if (!key && key.error().code() != ErrorCode::kNotFound) return key;
  AGENTLOCK_TRY(folder, open_own_folder(file.parent_path()));
  if (!key) {
    if (auto made = create_key(folder, file); !made) return tl::unexpected(made.error());
    key = load(file);
    if (!key) return key;
  }
  if (auto beside = ensure_public_half(folder, file, key->public_key()); !beside) {
    return tl::unexpected(beside.error());
  }
  return key;
}

std::string SigningKey::sign(std::string_view bytes) const {
  std::array<std::uint8_t, crypto_sign_BYTES> signature{};
  crypto_sign_detached(signature.data(), nullptr, as_bytes(bytes), bytes.size(), secret_.get());
  return to_hex(signature);
}

std::string SigningKey::hmac(std::string_view bytes) const {
  std::array<std::uint8_t, crypto_auth_hmacsha256_BYTES> code{};
  crypto_auth_hmacsha256(code.data(), as_bytes(bytes), bytes.size(), secret_.get() + kSignSize);
  return to_hex(code);
}

}  // namespace agentlock
