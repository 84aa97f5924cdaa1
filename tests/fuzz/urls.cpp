// The URL parser: what it serialises means the same when it is read again, because that
// is all that Chromium is ever given; and what may be navigated to is what it should be.
//
// Input: a URL, or a base and a URL with a line feed between them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "agentlock/origin.hpp"
#include "agentlock/url.hpp"
#include "fuzz/require.hpp"

namespace {

using namespace agentlock;
using fuzz::require;

bool same_origin(const Url& one, const Url& other) {
  const Origin a = one.origin();
  const Origin b = other.origin();
  return a.is_opaque() ? b.is_opaque() : a == b;
}

bool same_parts(const Url& one, const Url& other) {
  return one.scheme() == other.scheme() && one.username() == other.username() &&
         one.password() == other.password() && one.has_host() == other.has_host() &&
         one.host() == other.host() && one.port() == other.port() && one.path() == other.path() &&
         one.query() == other.query() && one.fragment() == other.fragment();
}

// No white space at the ends, no control character and nothing beyond ASCII anywhere.
bool is_plain(std::string_view href) {
  return std::ranges::all_of(href, [](char c) { return c >= 0x20 && c < 0x7F; }) &&
         !href.starts_with(' ') && !href.ends_with(' ');
}

void check_web(const Url& url) {
  require(!url.host().empty(), "a web address has a host");
  require(url.path().starts_with('/'), "a web address's path begins with a slash");
  require(url.port() != default_port(url.scheme()), "a default port is left out");
  require(!url.origin().is_opaque(), "a web address has an origin");
  require(url.href().find(' ') == std::string::npos, "a web address holds no space");
  const Origin origin = url.origin();
  require(url.href().starts_with(url.scheme() + "://"), "a web address begins with its scheme");
  if (const auto entry = Origin::parse_entry(origin.serialize())) {
    require(*entry == origin, "an allowlist entry is the origin that it was written from");
  } else {
    require(url.host().find('*') != std::string::npos, "an origin may be an allowlist entry");
  }
}

void check(const Url& url) {
  require(is_plain(url.href()), "a serialisation is plain ASCII");
  require(is_fixed_point(url.href()), "a serialisation is a fixed point");
  const auto again = Url::parse(url.href());
  require(again.has_value(), "a serialisation can be read");
  require(again->href() == url.href() && *again == url, "a serialisation reads as itself");
  require(same_parts(*again, url), "a serialisation has the parts that it was made of");
  require(same_origin(*again, url), "a serialisation has the origin that it was made of");
  require(url.href().starts_with(url.href_without_fragment()), "a fragment stands at the end");
  if (url.scheme() == "http" || url.scheme() == "https") check_web(url);
}

void check_navigable(std::string_view input) {
  const auto url = parse_navigable(input);
  if (!url) return;
  check(*url);
  require(url->scheme() == "http" || url->scheme() == "https", "only web addresses are navigable");
  require(!url->has_credentials(), "no credentials are navigable");
  require(url->host().find('*') == std::string::npos, "no asterisk is navigable");
  const auto parsed = Url::parse(input);
  require(parsed && *parsed == *url, "what is navigable is what was parsed");
}

void check_relative(std::string_view input, const Url& base) {
  const auto url = Url::parse(input, base);
  if (url) {
    check(*url);
    const auto resolved = Url::parse(url->href(), base);
    require(resolved && *resolved == *url, "a whole URL needs no base");
  }
  // A base with an opaque path ("mailto:x") can only take a fragment.
  if (const auto same = Url::parse("", base)) {
    require(same->href() == base.href_without_fragment(), "nothing leads to the base itself");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto url = Url::parse(input)) check(*url);
  check_navigable(input);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  if (const auto base = Url::parse(input.substr(0, line))) {
    check(*base);
    check_relative(input.substr(line + 1), *base);
  }
  return 0;
}
