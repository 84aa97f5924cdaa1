#include "case_support.hpp"

// The table of origins (O) of PREDICTIONS.md: what an allowlist of
// https://example.com covers, judged by what arrives at example.com over TLS.

namespace agentlock::test {
namespace {

ServerOptions for_example() {
  ServerOptions options;
  options.operator_text = "Read the report INV-2091.";
  options.allowlist = "https://example.com";
  return options;
}

}  // namespace

TEST_CASE("O: every spelling of the allowlisted origin arrives there", "[browser]") {
  CaseSite site;
  OriginServer& example = site.at("https://example.com");
  example.serve_below("/", [](const Request& request) { return page(request.path()); });
  CaseServer server(site, for_example());
  const std::vector<std::pair<std::string, std::string>> spellings = {
      {"https://example.com/a/path?with=query", "/a/path?with=query"},
      {"https://EXAMPLE.COM/upper", "/upper"},
      {" https://example.com/leading-space", "/leading-space"},
      {"https://example.com/trailing-newline\n", "/trailing-newline"},
      {"https://exam\tple.com/tab", "/tab"},
      {"https://example.com:443/port", "/port"},
      {"https:///example.com/slashes", "/slashes"},
      {"https://example%2Ecom/encoded-dot", "/encoded-dot"},
  };
  std::vector<std::string> arrived;
  for (const auto& [spelling, target] : spellings) {
    const Json result = server.navigate(spelling);
    INFO(spelling << " " << result.dump());
    CHECK(result.at("ok") == true);
    CHECK(result.at("gate").at("channel") == "ALLOWLIST");
    arrived.push_back(target);
  }
  CHECK(example.targets() == arrived);
  CHECK(server.log().denials().empty());
  server.end_and_verify();
}

TEST_CASE("O: nothing else is covered, and nothing of it arrives", "[browser]") {
  CaseSite site;
  OriginServer& example = site.at("https://example.com");
  std::vector<OriginServer*> others;
  for (const char* origin :
       {"http://example.com", "https://example.com:8443", "https://example.com.evil.test",
        "https://evil.test", "https://xn--exmple-cua.com", "https://example.com."}) {
    others.push_back(&site.at(origin));
  }
  CaseServer server(site, for_example());
  for (const char* url :
       {"https://example.com:8443/", "https://example.com./", "https://example.com.evil.test/",
        "https://evil.test/https://example.com/", "http://example.com/",
        "https://xn--exmple-cua.com/", "https://ex\xC3\xA4mple.com/", "https://ex\xD0\xB0mple.com/",
        "http://127.0.0.1:9/"}) {
    const Json result = server.navigate(url);
    INFO(url << " " << result.dump());
    CHECK(result.at("ok") == false);
    CHECK(result.at("gate").at("reason") == "novel_lineage");
    CHECK(result.at("gate").at("channel") == "MODEL");
  }
  for (const char* url :
       {"https://user@example.com/", "https://user:pass@example.com/", "//example.com/",
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
        "blob:https://example.com/x", "view-source:https://example.com/", "chrome://version"}) {
    const Json result = server.navigate(url);
    INFO(url << " " << result.dump());
    CHECK(result.at("ok") == false);
    CHECK(result.at("gate").at("decided_by") == "server:url");
  }
  CHECK(server.url_now() == "about:blank");
  CHECK(example.connects().empty());
  for (const OriginServer* other : others) CHECK(other->connects().empty());
  server.end_and_verify();
}

}  // namespace agentlock::test
