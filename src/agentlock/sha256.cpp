#include "agentlock/sha256.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <openssl/evp.h>

#include "base/encoding.hpp"

namespace agentlock {
namespace {

// Fetching the algorithm costs more than hashing a short text, so both it and
// the context are kept, one of each a thread.
struct Hasher {
  std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> algorithm{
      EVP_MD_fetch(nullptr, "SHA256", nullptr), &EVP_MD_free};
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

// Without a hash nothing can be vouched for, and no caller could go on.
void require(bool held) {
  if (held) return;
  std::fputs("agentlock: OpenSSL gives no SHA-256\n", stderr);
  std::abort();
}

}  // namespace

std::string sha256_hex(std::string_view bytes) { return sha256_hex(bytes, {}); }

std::string sha256_hex(std::string_view first, std::string_view second) {
  thread_local Hasher hasher;
  require(hasher.algorithm != nullptr && hasher.context != nullptr);
  EVP_MD_CTX* context = hasher.context.get();
  require(EVP_DigestInit_ex2(context, hasher.algorithm.get(), nullptr) == 1);
  require(EVP_DigestUpdate(context, first.data(), first.size()) == 1);
  require(EVP_DigestUpdate(context, second.data(), second.size()) == 1);
  std::array<std::uint8_t, 32> digest{};
  require(EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1);
  return to_hex(digest);
}

}  // namespace agentlock
