#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace agentlock::url {

/// The standard's URL record, with each part in its serialised form.
/// https://url.spec.whatwg.org/#concept-url
///
/// A host is its serialisation: the kinds of host that one scheme can have differ
/// in it (only IPv6 has brackets; a domain never ends in a number).
///
/// A list path is its serialisation too: a slash before each segment. That loses
/// nothing, since no segment holds a slash, and makes "shorten" a cut at the last
/// slash. An empty list is the empty string, a list of one empty segment is "/".
struct Record {
  std::string scheme;
  std::string username;
  std::string password;
  std::optional<std::string> host;
  std::optional<std::uint16_t> port;
  std::string path;
  bool has_opaque_path = false;
  std::optional<std::string> query;
  std::optional<std::string> fragment;

  /// The serialised URL; everything from `fragment_start` on is the fragment.
  std::string href;
  std::size_t fragment_start = 0;

  bool is_special() const;
  bool has_credentials() const { return !username.empty() || !password.empty(); }
};

}  // namespace agentlock::url
