#include "url/fault.hpp"

namespace agentlock::url {

std::string_view sentence(Fault fault) {
  switch (fault) {
    case Fault::kMissingScheme:
      return "The URL has no scheme. Give it in full, such as https://host/path.";
    case Fault::kHostMissing:
      return "The URL has no host. Give it in full, such as https://host/path.";
    case Fault::kPortInvalid:
      return "The URL's port is not a number. Write host:port with a port of 0 to 65535, or none.";
    case Fault::kPortOutOfRange:
      return "The URL's port is over 65535. Write a port of 0 to 65535, or none.";
    case Fault::kHostInvalidCodePoint:
      return "The URL's host holds a character that no host may have. Correct the host.";
    case Fault::kDomainInvalid:
      return "The URL's host is no valid internationalised domain name. Correct the host.";
    case Fault::kDomainTooLong:
      return "The URL's host is longer than any domain name. Correct the host.";
    case Fault::kDomainCapitalSharpS:
      return "The URL's host holds a capital sharp s (U+1E9E), which not all software maps to the "
             "same host. Write it with a small sharp s or with ss, whichever is meant.";
    case Fault::kIpv4Invalid:
      return "The URL's host ends in a number but is no IPv4 address. Correct the host.";
    case Fault::kIpv6Unclosed:
      return "The URL's host begins with a bracket that is never closed. Write IPv6 addresses as "
             "[address].";
    case Fault::kIpv6Invalid:
      return "The URL's host is in brackets but is no IPv6 address. Correct the host.";
  }
  return "The URL is invalid. Correct it.";
}

}  // namespace agentlock::url
