#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agentlock/origin.hpp"
#include "agentlock/result.hpp"

namespace agentlock {

namespace url {
struct Record;
}

/// A parsed URL of the WHATWG URL Standard (https://url.spec.whatwg.org/). Cannot
/// be changed; copies are cheap and share what they hold.
///
/// Input is UTF-8; what is not well-formed counts as U+FFFD. Any length is
/// accepted, in linear time; who calls bounds it. Error messages say what is
/// wrong and hold no part of the input, so they may be shown anywhere.
class Url {
 public:
  /// Parses an absolute URL. kInvalidArgument if it is none.
  static Result<Url> parse(std::string_view input);
  /// Parses a URL that may be relative to `base`, with the same error.
  static Result<Url> parse(std::string_view input, const Url& base);

  Url(const Url&) = default;
  Url& operator=(const Url&) = default;
  ~Url() = default;

  /// Lowercase, without the colon: "https".
  const std::string& scheme() const;
  /// Percent-encoded; empty if there is none.
  const std::string& username() const;
  const std::string& password() const;
  /// Serialised: ASCII (IDNA applied), IPv6 in brackets, without the port. Empty
  /// if there is none or if it is the empty host; has_host() tells them apart.
  const std::string& host() const;
  bool has_host() const;
  /// Nothing if the URL names no port or its scheme's default port.
  std::optional<std::uint16_t> port() const;
  /// Serialised, percent-encoded: "/a/b", or as it stands in an opaque path
  /// ("alert(1)" of "javascript:alert(1)").
  const std::string& path() const;
  /// Without the question mark; present but empty for "https://a/?".
  const std::optional<std::string>& query() const;
  /// Without the number sign; present but empty for "https://a/#".
  const std::optional<std::string>& fragment() const;

  /// The whole URL, serialised: the only form that Chromium is ever given.
  const std::string& href() const;
  std::string href_without_fragment() const;

  /// https://url.spec.whatwg.org/#concept-url-origin. A file: URL is opaque; a
  /// blob: URL has the origin that its path names.
  Origin origin() const;

  bool has_credentials() const;
  /// True for http, https, ws, wss, ftp and file.
  bool is_special() const;

  /// Equal serialisations, fragment included.
  bool operator==(const Url& other) const { return href() == other.href(); }

 private:
  explicit Url(std::shared_ptr<const url::Record> record) : record_(std::move(record)) {}

  // Never null: declaring the copy operations leaves out the moves that could
  // empty it.
  std::shared_ptr<const url::Record> record_;
};

/// What a URL must be before the gate is asked about it (`decided_by: server:url`):
/// http or https, without credentials, and with a host that Chromium reads as we
/// do, so without `*` and without U+1E9E (capital sharp s). The error (kRefused, or
/// kInvalidArgument of what is no URL) says which of these it is not and what to do.
Result<Url> parse_navigable(std::string_view input);

/// True if parsing and serialising gives back exactly `href`. A URL that Chromium
/// reports and that is no fixed point means something else to us than to it, and
/// is refused.
bool is_fixed_point(std::string_view href);

}  // namespace agentlock
