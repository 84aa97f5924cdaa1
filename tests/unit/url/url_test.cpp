#include "agentlock/url.hpp"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "unit/url/exact_buffer.hpp"

namespace agentlock {
namespace {

Url parsed(std::string_view input) { return *Url::parse(test::ExactBuffer(input).view()); }

TEST_CASE("a URL's parts can be asked for", "[unit]") {
  const Url url = parsed(
      "HTTPS://us%20er:pa:ss@B\xC3\xBC"
      "cher.example:8443/a b/../c?d'#e f");
  CHECK(url.scheme() == "https");
  CHECK(url.username() == "us%20er");
  CHECK(url.password() == "pa%3Ass");
  CHECK(url.has_credentials());
  CHECK(url.host() == "xn--bcher-kva.example");
  CHECK(url.port() == 8443);
  CHECK(url.path() == "/c");
  CHECK(url.query() == "d%27");
  CHECK(url.fragment() == "e%20f");
  CHECK(url.is_special());
  CHECK(url.href() == "https://us%20er:pa%3Ass@xn--bcher-kva.example:8443/c?d%27#e%20f");
  CHECK(url.href_without_fragment() == "https://us%20er:pa%3Ass@xn--bcher-kva.example:8443/c?d%27");
}

TEST_CASE("an absent part differs from an empty one", "[unit]") {
  CHECK_FALSE(parsed("https://a/").query().has_value());
  CHECK(parsed("https://a/?").query() == "");
  CHECK_FALSE(parsed("https://a/").fragment().has_value());
  CHECK(parsed("https://a/#").fragment() == "");
  CHECK(parsed("https://a/#").href() == "https://a/#");
  CHECK(parsed("https://a/#").href_without_fragment() == "https://a/");
  CHECK_FALSE(parsed("mailto:a@b").has_host());
  CHECK(parsed("file:///x").has_host());
  CHECK(parsed("file:///x").host().empty());
  CHECK_FALSE(parsed("https://a:443/").port().has_value());
  CHECK(parsed("https://a:0/").port() == 0);
}

TEST_CASE("a URL that was moved from is still whole", "[unit]") {
  Url url = parsed("https://a.test/x");
  const Url taken = std::move(url);
  CHECK(url.href() == "https://a.test/x");
  CHECK(taken == url);
}

TEST_CASE("bytes that are no UTF-8 count as U+FFFD", "[unit]") {
  CHECK(parsed("https://a/\xFF").path() == "/%EF%BF%BD");
  CHECK(parsed("https://a/\xE2\x82").path() == "/%EF%BF%BD");
  CHECK(parsed("https://a/\xE2\x82z").path() == "/%EF%BF%BDz");
  CHECK(parsed("https://a/\xC0\xAF").path() == "/%EF%BF%BD%EF%BF%BD");
  CHECK(parsed("https://a/\xED\xA0\x80").path() == "/%EF%BF%BD%EF%BF%BD%EF%BF%BD");
  CHECK(parsed("https://a/\xF0\x9F\x98\x80").path() == "/%F0%9F%98%80");
  CHECK_FALSE(Url::parse("https://a\xFF.test/").has_value());
  CHECK_FALSE(Url::parse("https://a%FF.test/").has_value());
}

TEST_CASE("a tab between two bytes of a character does not join them", "[unit]") {
  CHECK(parsed("https://a/\xC3\t\xA9").path() == "/%EF%BF%BD%EF%BF%BD");
}

TEST_CASE("a URL that means something else to us is no fixed point", "[unit]") {
  for (const char* href : {"https://a.test/", "https://a.test/x?y", "https://a.test/x?y#z",
                           "https://a.test/#", "about:blank", "data:text/html,x"}) {
    INFO(href);
    CHECK(is_fixed_point(test::ExactBuffer(href).view()));
  }
  for (const char* href :
       {"", "https://a.test", "https://A.test/", "https://a.test:443/", " https://a.test/",
        "https://a.test/\n", "https://a.test/a b", "https://a%20b/", "https://a%2Ab/",
        "https://a.test/./x", "https://a.test\\x", "https://0x7f.1/", "https:a.test/", "a.test"}) {
    INFO(href);
    CHECK_FALSE(is_fixed_point(test::ExactBuffer(href).view()));
  }
}

TEST_CASE("a label that is the encoding of an encoded one is refused", "[unit]") {
  // Chromium refuses them too. In a domain of ASCII neither of us looks into labels.
  for (const char* domain : {"xn--xn---epa.b\xC3\xBC"
                             "cher",
                             "b\xC3\xBC"
                             "cher.xn--xn---epa",
                             "\xEF\xBD\x98n--xn---epa"}) {
    INFO(domain);
    CHECK_FALSE(Url::parse("https://" + std::string(domain) + "/"));
  }
  CHECK(Url::parse("https://xn--xn---epa/"));
  // The mark stands further behind here: this encodes U+00FC and then "xn--a".
  const auto url = Url::parse("https://\xC3\xBCxn--a/");
  REQUIRE(url);
  CHECK(url->host().starts_with("xn--xn--a-"));
}

TEST_CASE("an IPv4 address in an IPv6 address must be whole and last", "[unit]") {
  CHECK(parsed("https://[::1.2.3.4]/").host() == "[::102:304]");
  CHECK(parsed("https://[1:2:3:4:5:6:7.8.9.10]/").host() == "[1:2:3:4:5:6:708:90a]");
  for (const char* input : {"https://[::1.2.3]/", "https://[::1.2]/", "https://[::1.2.3.4.5]/",
                            "https://[::1.2.3.4:5]/", "https://[1:2:3:4:5:6:7:1.2.3.4]/",
                            "https://[::1.2.3.256]/", "https://[::1.02.3.4]/", "https://[]/"}) {
    INFO(input);
    CHECK_FALSE(Url::parse(test::ExactBuffer(input).view()).has_value());
  }
}

TEST_CASE("a very long URL is parsed, a very long foreign domain refused", "[unit]") {
  const std::string million(1'000'000, 'x');
  CHECK(parsed("https://a/" + million).path().size() == 1'000'001);
  CHECK(parsed("https://" + million + "/").host().size() == 1'000'000);
  std::string slashes;
  std::string ats;
  for (int i = 0; i < 200'000; ++i) {
    slashes += "/..";
    ats += "@:";
  }
  CHECK(parsed("https://a" + slashes).path() == "/");
  CHECK(parsed("https://" + ats + "@a/").host() == "a");
  std::string umlauts;
  for (int i = 0; i < 100'000; ++i) umlauts += "\xC3\xBC.";
  CHECK_FALSE(Url::parse("https://" + umlauts + "/").has_value());
}

}  // namespace
}  // namespace agentlock
