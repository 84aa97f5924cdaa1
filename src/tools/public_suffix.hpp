#pragma once

#include <string>
#include <string_view>

namespace agentlock::tools {

// Who a host belongs to, by the Public Suffix List (https://publicsuffix.org).

/// The part of a host that somebody registered: "example.co.uk" of
/// "a.b.example.co.uk". Empty for addresses, single labels and public suffixes, and
/// where the list can't be read.
std::string registrable_domain(std::string_view host);

/// Whether strangers share the host: it lies under a suffix that a company runs
/// (github.io), or is one of a few hosts that serve everybody's pages. Also where the
/// list can't be read: then nobody can tell.
bool is_shared_host(std::string_view host);

}  // namespace agentlock::tools
