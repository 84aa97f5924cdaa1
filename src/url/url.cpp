#include "agentlock/url.hpp"

#include <array>
#include <string>
#include <utility>

#include "url/parser.hpp"
#include "url/record.hpp"

namespace agentlock {
namespace {

/// https://url.spec.whatwg.org/#special-scheme
struct SpecialScheme {
  std::string_view name;
  std::optional<std::uint16_t> default_port;
};

constexpr std::array<SpecialScheme, 6> kSpecialSchemes{{
    {"https", 443},
    {"http", 80},
    {"wss", 443},
    {"ws", 80},
    {"ftp", 21},
    {"file", std::nullopt},
}};

const SpecialScheme* special_scheme(std::string_view name) {
  for (const SpecialScheme& scheme : kSpecialSchemes) {
    if (scheme.name == name) return &scheme;
  }
  return nullptr;
}

Result<url::Record> parse_or_explain(std::string_view input, const url::Record* base) {
  auto record = url::parse_record(input, base);
  if (!record) return fail(ErrorCode::kInvalidArgument, std::string(sentence(record.error())));
  return std::move(*record);
}

}  // namespace

std::optional<std::uint16_t> default_port(std::string_view scheme) {
  const SpecialScheme* special = special_scheme(scheme);
  return special == nullptr ? std::nullopt : special->default_port;
}

bool url::Record::is_special() const { return special_scheme(scheme) != nullptr; }

Result<Url> Url::parse(std::string_view input) {
  AGENTLOCK_TRY(record, parse_or_explain(input, nullptr));
  return Url(std::make_shared<const url::Record>(std::move(record)));
}

Result<Url> Url::parse(std::string_view input, const Url& base) {
  AGENTLOCK_TRY(record, parse_or_explain(input, base.record_.get()));
  return Url(std::make_shared<const url::Record>(std::move(record)));
}

const std::string& Url::scheme() const { return record_->scheme; }
const std::string& Url::username() const { return record_->username; }
const std::string& Url::password() const { return record_->password; }
bool Url::has_host() const { return record_->host.has_value(); }
std::optional<std::uint16_t> Url::port() const { return record_->port; }
const std::string& Url::path() const { return record_->path; }
const std::optional<std::string>& Url::query() const { return record_->query; }
const std::optional<std::string>& Url::fragment() const { return record_->fragment; }
const std::string& Url::href() const { return record_->href; }
bool Url::has_credentials() const { return record_->has_credentials(); }
bool Url::is_special() const { return record_->is_special(); }

const std::string& Url::host() const {
  static const std::string kNone;
  return record_->host ? *record_->host : kNone;
}

std::string Url::href_without_fragment() const {
  return record_->href.substr(0, record_->fragment_start);
}

Origin Url::origin() const {
  if (scheme() == "blob") {
    // 2. Let pathURL be the result of parsing url's path; 3. if that fails, opaque.
    // (1. There are no blob URL entries here: objects live in the browser.)
    const auto path_url = Url::parse(path());
    if (!path_url) return Origin::opaque();
    // 4. If pathURL's scheme is "http", "https" or "file", return its origin.
    // 5. Otherwise opaque. ("file" is opaque as well, below.)
    const std::string& inner = path_url->scheme();
    return inner == "http" || inner == "https" ? path_url->origin() : Origin::opaque();
  }
  // The schemes that have a default port are those whose origin is a tuple.
  const auto default_of_scheme = default_port(scheme());
  if (!default_of_scheme) return Origin::opaque();
  return Origin(scheme(), host(), port().value_or(*default_of_scheme));
}

bool is_fixed_point(std::string_view href) {
  const auto parsed = Url::parse(href);
  return parsed && parsed->href() == href;
}

}  // namespace agentlock
