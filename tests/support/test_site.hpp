#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/demo_origin.hpp"
#include "support/tls.hpp"

namespace agentlock::test {

using cli::demo::Hit;
using cli::demo::Hold;
using cli::demo::html;
using cli::demo::OriginServer;
using cli::demo::redirect;
using cli::demo::Request;
using cli::demo::Response;
using cli::demo::text;

/// The web as a test sees it: origins by name, each a server of its own, and the
/// arguments that tell the binary where they are. Failures to set it up throw.
class TestSite {
 public:
  /// With http://fixture.test, http://www.fixture.test, http://evil.test and
  /// http://third.test.
  TestSite();

  /// The server of an origin such as "https://fixture.test" or
  /// "http://evil.test:8080"; it is made when first asked for.
  OriginServer& at(const std::string& origin);
  OriginServer& fixture() { return at("http://fixture.test"); }
  OriginServer& evil() { return at("http://evil.test"); }
  OriginServer& third() { return at("http://third.test"); }

  /// --test-host-map and --test-spki, for the origins that there are by now.
  std::vector<std::string> arguments() const;

 private:
  std::optional<TestTls> tls_;
  std::map<std::string, std::unique_ptr<OriginServer>> servers_;
};

}  // namespace agentlock::test
