#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agentlock/result.hpp"
#include "cli/demo_origin.hpp"

namespace agentlock::test {

/// A self-signed certificate that lives as long as the test, for origins that are
/// spoken to over TLS.
class TestTls {
 public:
  /// For the given host names (subject alternative names), with a fresh P-256 key.
  static Result<TestTls> create(const std::vector<std::string>& hosts);

  /// Base64 of the SHA-256 over the certificate's SubjectPublicKeyInfo: what
  /// Chromium's --ignore-certificate-errors-spki-list takes.
  const std::string& spki_hash() const { return spki_hash_; }

  /// Makes an OriginServer speak TLS with this certificate.
  cli::demo::StreamFactory streams() const;

 private:
  struct Context;
  TestTls(std::shared_ptr<Context> context, std::string spki_hash);
  std::shared_ptr<Context> context_;
  std::string spki_hash_;
};

}  // namespace agentlock::test
