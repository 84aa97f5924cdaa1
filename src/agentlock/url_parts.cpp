#include "agentlock/url_parts.hpp"

#include <algorithm>
#include <string_view>

#include "agentlock/decodings.hpp"

namespace agentlock {
namespace {

void keep(std::vector<std::string>& parts, std::string_view text, bool plus_is_space = false) {
  std::string plain(text);
  if (plus_is_space) std::ranges::replace(plain, '+', ' ');
  plain = percent_decoded(plain);
  if (!plain.empty()) parts.push_back(std::move(plain));
}

template <typename Use>
void each_between(std::string_view text, std::string_view separators, Use use) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    use(text.substr(at, end - at));
    at = end + 1;
  }
}

void append_query(std::string_view query, UrlParts& parts) {
  each_between(query, "&;", [&](std::string_view pair) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos) return keep(parts.values, pair, true);
    keep(parts.keys, pair.substr(0, equals), true);
    keep(parts.values, pair.substr(equals + 1), true);
  });
}

std::string path_of(const Url& url) {
  std::string path = percent_decoded(url.path());
  while (path.ends_with('/')) path.pop_back();
  return path;
}

std::string decoded(const std::optional<std::string>& part) {
  return part ? percent_decoded(*part) : "";
}

}  // namespace

UrlParts parts_of(const Url& url) {
  UrlParts parts;
  each_between(url.path(), "/", [&](std::string_view segment) { keep(parts.path, segment); });
  if (url.query()) append_query(*url.query(), parts);
  if (url.fragment()) {
    // "#/orders?id=5", "#access_token=...&state=..."
    const std::string_view fragment = *url.fragment();
    const bool like_query = fragment.find('=') != fragment.npos;
    const std::size_t query = like_query ? std::min(fragment.find('?'), fragment.size()) : 0;
    const std::size_t path_end = like_query && query < fragment.size() ? query : 0;
    if (like_query) append_query(fragment.substr(path_end > 0 ? path_end + 1 : 0), parts);
    each_between(like_query ? fragment.substr(0, path_end) : fragment, "/",
                 [&](std::string_view segment) { keep(parts.fragment, segment); });
  }
  return parts;
}

bool is_same_resource(const Url& one, const Url& other) {
  return path_of(one) == path_of(other) && decoded(one.query()) == decoded(other.query()) &&
         decoded(one.fragment()) == decoded(other.fragment());
}

}  // namespace agentlock
