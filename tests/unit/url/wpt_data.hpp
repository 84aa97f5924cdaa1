#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "agentlock/url.hpp"
#include "base/json.hpp"
#include "unit/url/exact_buffer.hpp"

namespace agentlock::test {

/// A file of fixtures/wpt-url. Lone surrogates, which a few cases hold, become U+FFFD.
inline Json wpt_data(const std::string& name) {
  std::ifstream file(std::string(AGENTLOCK_FIXTURES) + "/wpt-url/" + name);
  auto parsed = parse_json({std::istreambuf_iterator<char>(file), {}});
  if (!parsed) throw std::runtime_error(name + ": " + parsed.error().message());
  return std::move(*parsed);
}

inline Result<Url> parse_exact(std::string_view input, const std::optional<std::string>& base) {
  const ExactBuffer buffer(input);
  if (!base) return Url::parse(buffer.view());
  AGENTLOCK_TRY(parsed_base, Url::parse(ExactBuffer(*base).view()));
  return Url::parse(buffer.view(), parsed_base);
}

inline std::optional<std::string> optional_text(const Json& object, const std::string& key) {
  const Json& value = object.at(key);
  if (value.is_null()) return std::nullopt;
  return value.get<std::string>();
}

/// What becomes of a domain in a URL, or nothing if the URL is refused. As the web
/// platform tests do it, what would end the host is percent-encoded first.
inline std::optional<std::string> host_of(std::string_view domain) {
  std::string input = "https://";
  for (const char c : domain) {
    switch (c) {
      case ':':
        input += "%3A";
        break;
      case '/':
        input += "%2F";
        break;
      case '?':
        input += "%3F";
        break;
      case '#':
        input += "%23";
        break;
      case '\\':
        input += "%5C";
        break;
      default:
        input += c;
    }
  }
  const auto url = parse_exact(input + "/x", std::nullopt);
  if (!url) return std::nullopt;
  return url->host();
}

}  // namespace agentlock::test
