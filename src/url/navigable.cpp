#include <string>

#include "agentlock/url.hpp"

namespace agentlock {

Result<Url> parse_navigable(std::string_view input) {
  AGENTLOCK_TRY(url, Url::parse(input));
  if (url.scheme() != "http" && url.scheme() != "https") {
    return fail(ErrorCode::kRefused,
                "Only http and https URLs can be opened, and this one has another scheme. Give "
                "the page's http or https URL.");
  }
  if (url.has_credentials()) {
    return fail(ErrorCode::kRefused,
                "The URL carries a user name or password, which can make one site look like "
                "another. Leave out what stands before the @.");
  }
  // The parser has refused U+1E9E and the empty host already.
  if (url.host().find('*') != std::string::npos) {
    return fail(ErrorCode::kRefused,
                "The URL's host holds an asterisk, which the browser reads in its own way. Give "
                "the full host name.");
  }
  return url;
}

}  // namespace agentlock
