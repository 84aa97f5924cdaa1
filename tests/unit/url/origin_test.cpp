#include "agentlock/origin.hpp"

#include <string>
#include <unordered_set>

#include <catch2/catch.hpp>

#include "agentlock/url.hpp"
#include "unit/url/exact_buffer.hpp"

namespace agentlock {
namespace {

Origin origin_of(std::string_view input) { return Url::parse(input)->origin(); }

Result<Origin> entry(std::string_view text) {
  return Origin::parse_entry(test::ExactBuffer(text).view());
}

TEST_CASE("origins are equal by scheme, host and port in force", "[unit]") {
  CHECK(origin_of("https://a.test/x?y#z") == origin_of("HTTPS://A.TEST:443"));
  CHECK(origin_of("http://a.test:80") == origin_of("http://a.test"));
  CHECK_FALSE(origin_of("https://a.test") == origin_of("http://a.test"));
  CHECK_FALSE(origin_of("https://a.test") == origin_of("https://a.test:8443"));
  CHECK_FALSE(origin_of("https://a.test") == origin_of("https://a.test."));
  CHECK_FALSE(origin_of("https://a.test:80") == origin_of("http://a.test:80"));
}

TEST_CASE("an origin is written without its default port", "[unit]") {
  CHECK(origin_of("https://a.test:443/x").serialize() == "https://a.test");
  CHECK(origin_of("http://a.test:443/x").serialize() == "http://a.test:443");
  CHECK(origin_of("https://[::1]:8443/").serialize() == "https://[::1]:8443");
  CHECK(origin_of("https://a.test").port() == 443);
  CHECK(origin_of("https://a.test:8443").port() == 8443);
  CHECK(origin_of("blob:https://a.test/0-1").serialize() == "https://a.test");
}

TEST_CASE("an opaque origin equals nothing and is written as null", "[unit]") {
  for (const char* input : {"data:text/html,x", "javascript:alert(1)", "file:///etc/passwd",
                            "about:blank", "chrome://settings", "blob:null/0-1",
                            "view-source:https://a.test/", "blob:blob:https://a.test/"}) {
    INFO(input);
    const Origin origin = origin_of(input);
    const Origin& same = origin;
    CHECK(origin.is_opaque());
    CHECK_FALSE(origin == same);
    CHECK(origin.serialize() == "null");
  }
  CHECK_FALSE(Origin::opaque() == Origin::opaque());
  const std::unordered_set<Origin> origins{Origin::opaque(), origin_of("https://a.test")};
  CHECK(origins.count(Origin::opaque()) == 0);
  CHECK(origins.count(origin_of("https://a.test:443/x")) == 1);
}

TEST_CASE("an allowlist entry is an origin, a bare host one of https", "[unit]") {
  const auto serialized = [](std::string_view text) { return entry(text)->serialize(); };
  CHECK(serialized("https://example.com") == "https://example.com");
  CHECK(serialized("https://example.com/") == "https://example.com");
  CHECK(serialized("http://example.com") == "http://example.com");
  CHECK(serialized("HTTPS://Example.COM:443") == "https://example.com");
  CHECK(serialized("example.com") == "https://example.com");
  CHECK(serialized("example.com/") == "https://example.com");
  CHECK(serialized("localhost:8080") == "https://localhost:8080");
  CHECK(serialized("http://127.0.0.1:3000") == "http://127.0.0.1:3000");
  CHECK(serialized("[::1]:8443") == "https://[::1]:8443");
  CHECK(serialized(" b\xC3\xBC"
                   "cher.example ") == "https://xn--bcher-kva.example");
}

TEST_CASE("what is no origin is refused as an allowlist entry, by name", "[unit]") {
  for (const char* text : {"",
                           " ",
                           "https://",
                           "https:///example.com",
                           "https:example.com",
                           "https:/example.com",
                           "//example.com",
                           "https://example.com/path",
                           "https://example.com//",
                           "example.com/a",
                           "https://example.com?",
                           "https://example.com/?q",
                           "https://example.com#",
                           "https://user@example.com",
                           "https://@example.com",
                           "*",
                           "https://*.example.com",
                           "*.example.com",
                           "https://example.com:*",
                           "https:\\\\example.com",
                           "https://exam ple.com",
                           "https://exam\tple.com",
                           "https://example.com https://b.test",
                           "ftp://example.com",
                           "file:///etc",
                           "javascript:alert(1)",
                           "javascript://a",
                           "data:text/html,x",
                           "about:blank",
                           "chrome://settings",
                           "https://example.com:99999",
                           "https://example.com:port",
                           "https://1.2.3.4.5",
                           "https://[::1",
                           "https://\xE1\xBA\x9E.example",
                           "https://%2A.test",
                           "https://\xEF\xBC\x8A.test",
                           "example.com,b.test/x"}) {
    INFO(text);
    const auto refused = entry(text);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == ErrorCode::kInvalidArgument);
  }
  const std::string message = entry("https://example.com/path").error().message();
  CHECK(message.find("\"https://example.com/path\"") != std::string::npos);
  CHECK(message.find("Write an origin") != std::string::npos);
  const auto says = [](std::string_view text, std::string_view why) {
    return entry(text).error().message().find(why) != std::string::npos;
  };
  CHECK(says("https://*.example.com", "wildcard"));
  CHECK(says("https:///example.com", "names no host"));
  CHECK(says("https://example.com/path", "path"));
  CHECK(says("https://a:b@example.com", "user name"));
}

TEST_CASE("the message about an allowlist entry is one bounded line", "[unit]") {
  const std::string message = entry("a\nb" + std::string(100'000, 'x')).error().message();
  CHECK(message.size() < 600);
  CHECK(message.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace agentlock
