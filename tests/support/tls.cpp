#include "support/tls.hpp"

#include <array>
#include <cstdint>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/encoding.hpp"

namespace agentlock::test {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;
using Ssl = std::unique_ptr<SSL, Freed<SSL_free>>;
using SslContext = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;

constexpr long kOneDay = 24L * 60 * 60;

bool add_hosts(X509* certificate, const std::vector<std::string>& hosts) {
  std::string names;
  for (const std::string& host : hosts) names += (names.empty() ? "DNS:" : ",DNS:") + host;
  const Extension extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Certificate self_signed(EVP_PKEY* key, const std::vector<std::string>& hosts) {
  Certificate certificate(X509_new());
  X509* const raw = certificate.get();
  const auto* common_name = reinterpret_cast<const unsigned char*>("agentlock test origin");
  const bool made = raw != nullptr && X509_set_version(raw, X509_VERSION_3) == 1 &&
                    ASN1_INTEGER_set(X509_get_serialNumber(raw), 1) == 1 &&
                    X509_gmtime_adj(X509_getm_notBefore(raw), -kOneDay) != nullptr &&
                    X509_gmtime_adj(X509_getm_notAfter(raw), kOneDay) != nullptr &&
                    X509_NAME_add_entry_by_txt(X509_get_subject_name(raw), "CN", MBSTRING_ASC,
                                               common_name, -1, -1, 0) == 1 &&
                    X509_set_issuer_name(raw, X509_get_subject_name(raw)) == 1 &&
                    X509_set_pubkey(raw, key) == 1 && add_hosts(raw, hosts) &&
                    X509_sign(raw, key, EVP_sha256()) > 0;
  if (!made) certificate.reset();
  return certificate;
}

std::string spki_hash_of(const X509* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  if (size <= 0) return {};
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  EVP_Digest(der, static_cast<std::size_t>(size), digest.data(), &length, EVP_sha256(), nullptr);
  OPENSSL_free(der);
  return to_base64(std::string_view(reinterpret_cast<const char*>(digest.data()), length));
}

class TlsStream final : public cli::demo::Stream {
 public:
  TlsStream(Ssl ssl, int socket) : ssl_(std::move(ssl)) { SSL_set_fd(ssl_.get(), socket); }

  bool open() override {
    const bool done = SSL_accept(ssl_.get()) == 1;
    if (const char* name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name)) {
      server_name_ = name;
    }
    return done;
  }
  std::string server_name() const override { return server_name_; }
  std::size_t read(std::span<char> into) override {
    std::size_t got = 0;
    return SSL_read_ex(ssl_.get(), into.data(), into.size(), &got) == 1 ? got : 0;
  }
  bool write(std::string_view bytes) override {
    std::size_t sent = 0;
    return bytes.empty() || SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &sent) == 1;
  }

 private:
  Ssl ssl_;
  std::string server_name_;
};

}  // namespace

struct TestTls::Context {
  SslContext context;
};

Result<TestTls> TestTls::create(const std::vector<std::string>& hosts) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = key ? self_signed(key.get(), hosts) : nullptr;
  auto context = std::make_shared<Context>();
  context->context.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* const raw = context->context.get();
  if (!certificate || raw == nullptr || SSL_CTX_use_certificate(raw, certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(raw, key.get()) != 1) {
    return fail(ErrorCode::kInternal, "no test certificate could be made");
  }
  return TestTls(std::move(context), spki_hash_of(certificate.get()));
}

TestTls::TestTls(std::shared_ptr<Context> context, std::string spki_hash)
    : context_(std::move(context)), spki_hash_(std::move(spki_hash)) {}

cli::demo::StreamFactory TestTls::streams() const {
  return [context = context_](int socket) -> std::unique_ptr<cli::demo::Stream> {
    return std::make_unique<TlsStream>(Ssl(SSL_new(context->context.get())), socket);
  };
}

}  // namespace agentlock::test
