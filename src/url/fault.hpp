#pragma once

#include <string_view>

#include <tl/expected.hpp>

namespace agentlock::url {

/// Why a text is no URL: the standard's validation errors that end the parser
/// (https://url.spec.whatwg.org/#validation-error), and two bounds of ours.
enum class Fault {
  kMissingScheme,
  kHostMissing,
  kPortInvalid,
  kPortOutOfRange,
  kHostInvalidCodePoint,
  kDomainInvalid,
  kDomainTooLong,
  kDomainCapitalSharpS,
  kIpv4Invalid,
  kIpv6Unclosed,
  kIpv6Invalid,
};

/// A sentence for the reader: what is wrong and what to do. Holds nothing of the
/// input.
std::string_view sentence(Fault fault);

template <typename T>
using Parsed = tl::expected<T, Fault>;

inline tl::unexpected<Fault> refuse(Fault fault) { return tl::unexpected<Fault>(fault); }

}  // namespace agentlock::url
