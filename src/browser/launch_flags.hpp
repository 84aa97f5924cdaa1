#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agentlock/result.hpp"

namespace agentlock::browser {

/// In CSS pixels.
struct Viewport {
  int width = 0;
  int height = 0;
};

/// Tests only: `host` ("fixture.test", or "fixture.test:443" for one port) is
/// reached at `address` ("127.0.0.1:34567").
struct HostMapping {
  std::string host;
  std::string address;
};

/// What the operator may choose about the browser; empty means Chromium's own.
struct BrowserSettings {
  bool headless = true;
  std::vector<std::string> chromium_args;  ///< must pass check_chromium_args()
  std::string user_agent;
  std::optional<Viewport> viewport;
  std::string locale;    ///< as "de-DE"
  std::string timezone;  ///< as "Europe/Berlin"
  std::vector<HostMapping> test_hosts;
  /// Tests only: base64 SHA-256 of the public keys of certificates to accept.
  std::vector<std::string> test_spki;
};

struct LaunchFlags {
  std::vector<std::string> arguments;  ///< without argv[0]
  bool sandboxed = true;
};

/// The switches of navigation.md, section 14, and the operator's own. Root can't
/// have Chromium's sandbox.
Result<LaunchFlags> make_launch_flags(const BrowserSettings& settings,
                                      const std::filesystem::path& profile, bool running_as_root);

/// Takes the operator's extra switches (tools.md, "Configuration"; attacks.md
/// A13) and gives them back as `--switch[=value]`, lists of features merged with
/// ours. A switch that could undo the wall, and what is no switch at all, is
/// refused by name.
Result<std::vector<std::string>> check_chromium_args(const std::vector<std::string>& arguments);

}  // namespace agentlock::browser
