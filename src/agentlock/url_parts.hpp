#pragma once

#include <string>
#include <vector>

#include "agentlock/url.hpp"

namespace agentlock {

/// What an address carries behind its origin, each part percent-decoded up to three
/// times, with + as a space in the query; empty parts left out (attacks.md A25).
struct UrlParts {
  std::vector<std::string> path;      ///< segments
  std::vector<std::string> keys;      ///< of the query, and of a fragment like one
  std::vector<std::string> values;    ///< likewise
  std::vector<std::string> fragment;  ///< pieces between slashes
};

UrlParts parts_of(const Url& url);

/// Equal but for a slash at the end, percent form, and an empty query or fragment.
bool is_same_resource(const Url& one, const Url& other);

}  // namespace agentlock
