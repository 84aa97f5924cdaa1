#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "agentlock/url.hpp"
#include "unit/url/exact_buffer.hpp"

namespace agentlock {
namespace {

Result<Url> navigable(std::string_view input) {
  return parse_navigable(test::ExactBuffer(input).view());
}

/// Table O: may be opened at all, and is on the allowlist `https://example.com`.
bool is_covered(std::string_view input) {
  const auto url = navigable(input);
  return url && url->origin() == *Origin::parse_entry("https://example.com");
}

TEST_CASE("an allowed origin covers each spelling of itself", "[unit]") {
  for (const char* input :
       {"https://example.com", "https://example.com/", "https://example.com/any/path?q=1#f",
        "https://EXAMPLE.com/", "HTTPS://Example.Com/x", " https://example.com/",
        "https://example.com/\n", "https://exam\tple.com/", "https://example.com:443/",
        "https:///example.com/", "https:\\\\example.com\\x", "https://example%2Ecom/",
        "https://example.com/@evil.test", "https://example.com/?u=https://evil.test"}) {
    INFO(input);
    CHECK(is_covered(input));
  }
}

TEST_CASE("an allowed origin covers no other origin that looks like it", "[unit]") {
  for (const char* input : {"https://example.com:8443/",
                            "https://example.com./",
                            "https://example.com.evil.test/",
                            "https://evil.test/https://example.com/",
                            "https://evil.test/?https://example.com",
                            "http://example.com/",
                            "https://xn--exmple-cua.com/",
                            "https://ex\xC3\xA4mple.com/",
                            "https://ex\xD0\xB0mple.com/",
                            "https://www.example.com/",
                            "//example.com/",
                            "/example.com",
                            "example.com",
                            "https://127.0.0.1/",
                            "https://0x7f.1/",
                            "https://[::1]/",
                            "https://localhost/",
                            "https://evil.test\\@example.com/",
                            "https://example.com%00/",
                            "https://example.com%2F.evil.test/"}) {
    INFO(input);
    CHECK_FALSE(is_covered(input));
  }
}

TEST_CASE("a URL with credentials is refused as such", "[unit]") {
  for (const char* input :
       {"https://user@example.com/", "https://user:pass@example.com/", "https://:pass@example.com/",
        "https://example.com@evil.test/", "https://example.com%2F@evil.test/"}) {
    INFO(input);
    const auto refused = navigable(input);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == ErrorCode::kRefused);
    CHECK(refused.error().message().find("user name or password") != std::string::npos);
  }
}

TEST_CASE("every scheme but http and https is refused as such", "[unit]") {
  for (const char* input :
       {"javascript:alert(1)", "data:text/html,<p>x", "file:///etc/passwd", "blob:https://a.test/1",
        "view-source:https://example.com/", "chrome://settings", "about:blank", "ftp://a.test/",
        "ws://a.test/", "wss://a.test/", "mailto:a@b.test", " JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)", "devtools://devtools/bundled/inspector.html"}) {
    INFO(input);
    const auto refused = navigable(input);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == ErrorCode::kRefused);
    CHECK(refused.error().message().find("http and https") != std::string::npos);
  }
}

TEST_CASE("hosts that Chromium reads otherwise are refused", "[unit]") {
  for (const char* input : {"https://*.example.com/", "https://a*b.test/", "https://%2A.test/",
                            "https://\xEF\xBC\x8A.test/",
                            "https://stra\xE1\xBA\x9E"
                            "e.test/",
                            "https://%E1%BA%9E.test/", "https://a b/", "https://a%20b/",
                            "http://[::%31]/", "https://%EF%BC%85%EF%BC%94%EF%BC%91.com/"}) {
    INFO(input);
    CHECK_FALSE(navigable(input).has_value());
  }
  CHECK(navigable("https://\xE1\xBA\x9E.test/").error().message().find("U+1E9E") !=
        std::string::npos);
  CHECK(navigable("https://a.test/\xE1\xBA\x9E*").has_value());
}

TEST_CASE("a URL without a host, or none at all, is refused with what to do", "[unit]") {
  for (const char* input :
       {"", " ", "https:", "https://", "https:///", "https://@/", "https://:443", "https://?q",
        "example.com/a", "https://a:b", "https://a:65536"}) {
    INFO(input);
    const auto refused = navigable(input);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message().ends_with('.'));
  }
}

TEST_CASE("no message about a URL repeats any of it", "[unit]") {
  for (const char* input : {"canary:x", "https://canary@a.test/", "https://canary*/",
                            "https://canary:canary/", "https://can ary/", "canary"}) {
    INFO(input);
    const auto refused = navigable(input);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message().find("canary") == std::string::npos);
  }
}

}  // namespace
}  // namespace agentlock
