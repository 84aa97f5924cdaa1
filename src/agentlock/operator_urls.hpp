#pragma once

#include <string_view>
#include <vector>

#include "agentlock/url.hpp"

namespace agentlock {

/// An address that the operator's text names. Where it names no scheme, that of the
/// URL is https, and http counts as well.
struct OperatorUrl {
  Url url;
  bool has_scheme;
};

/// The addresses in a text by which the operator authorises a navigation: an explicit
/// http or https URL; what begins with `www.`; a host with a port or a path, which may
/// be a single label or an IP address; a bare host name whose last label is no common
/// file extension. Never the host of an e-mail address. Brackets and punctuation
/// around an address are not part of it.
/// Source: attacks.md A32, F40.
std::vector<OperatorUrl> operator_urls(std::string_view text);

}  // namespace agentlock
