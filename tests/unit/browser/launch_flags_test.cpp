#include "browser/launch_flags.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace agentlock::browser {
namespace {

using Args = std::vector<std::string>;

bool has(const LaunchFlags& flags, const std::string& argument) {
  return std::count(flags.arguments.begin(), flags.arguments.end(), argument) == 1;
}

}  // namespace

TEST_CASE("the browser is started with the switches that interception rests on", "[unit]") {
  const auto flags = make_launch_flags({}, "/p", false);
  REQUIRE(flags);
  for (const char* expected :
       {"--remote-debugging-port=0", "--headless=new", "--no-startup-window", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-quic", "--disable-gpu", "--disable-features=BackForwardCache",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--use-fake-ui-for-media-stream=deny", "--user-data-dir=/p"}) {
    INFO(expected);
    CHECK(has(*flags, expected));
  }
  CHECK(flags->sandboxed);
  CHECK(flags->arguments.size() == 14);
}

TEST_CASE("only root goes without Chromium's sandbox", "[unit]") {
  const auto flags = make_launch_flags({}, "/p", true);
  REQUIRE(flags);
  CHECK_FALSE(flags->sandboxed);
  CHECK(has(*flags, "--no-sandbox"));
}

TEST_CASE("the operator's choices become switches", "[unit]") {
  BrowserSettings settings;
  settings.headless = false;
  settings.user_agent = "Mozilla/5.0 (X)";
  settings.viewport = Viewport{800, 600};
  settings.locale = "de-DE";
  settings.test_hosts = {{"a.test", "127.0.0.1:1"}, {"a.test:443", "127.0.0.1:2"}};
  settings.test_spki = {"AAA=", "BBB="};
  settings.chromium_args = {"--disable-features=Translate", "--mute-audio"};
  const auto flags = make_launch_flags(settings, "/p", false);
  REQUIRE(flags);
  CHECK_FALSE(has(*flags, "--headless=new"));
  CHECK(has(*flags, "--user-agent=Mozilla/5.0 (X)"));
  CHECK(has(*flags, "--window-size=800,600"));
  CHECK(has(*flags, "--lang=de-DE"));
  CHECK(has(*flags, "--accept-lang=de-DE,de"));
  CHECK(has(*flags, "--host-resolver-rules=MAP a.test 127.0.0.1:1, MAP a.test:443 127.0.0.1:2"));
  CHECK(has(*flags, "--ignore-certificate-errors-spki-list=AAA=,BBB="));
  CHECK(has(*flags, "--disable-features=BackForwardCache,Translate"));
  CHECK(has(*flags, "--mute-audio"));
}

TEST_CASE("a choice that is no such value is an error that names its key", "[unit]") {
  const auto refused = [](BrowserSettings settings, const std::string& key) {
    const auto flags = make_launch_flags(settings, "/p", false);
    INFO(key);
    REQUIRE_FALSE(flags);
    CHECK(flags.error().message().find(key) != std::string::npos);
  };
  BrowserSettings s;
  s.user_agent = "a\r\nb";
  refused(s, "user_agent");
  s = {};
  s.locale = "de --no-sandbox";
  refused(s, "locale");
  s = {};
  s.timezone = "a b";
  refused(s, "timezone");
  s = {};
  s.viewport = Viewport{0, 10};
  refused(s, "viewport");
}

TEST_CASE("extra switches that could undo the wall are refused by name", "[unit]") {
  for (const char* name : {"remote-debugging-port",
                           "remote-debugging-pipe",
                           "remote-debugging-address",
                           "remote-allow-origins",
                           "proxy-server",
                           "proxy-bypass-list",
                           "proxy-pac-url",
                           "no-proxy-server",
                           "host-resolver-rules",
                           "host-rules",
                           "user-data-dir",
                           "load-extension",
                           "disable-extensions-except",
                           "disable-web-security",
                           "ignore-certificate-errors",
                           "ignore-certificate-errors-spki-list",
                           "headless",
                           "no-sandbox",
                           "disable-setuid-sandbox",
                           "disable-gpu-sandbox",
                           "single-process",
                           "no-startup-window",
                           "no-first-run",
                           "disable-background-networking",
                           "disable-component-update",
                           "disable-sync",
                           "disable-quic",
                           "enable-quic",
                           "disable-gpu",
                           "webrtc-ip-handling-policy",
                           "force-webrtc-ip-handling-policy",
                           "use-fake-ui-for-media-stream",
                           "user-agent",
                           "window-size",
                           "lang",
                           "force-fieldtrials",
                           "renderer-cmd-prefix",
                           "utility-cmd-prefix",
                           "gpu-launcher",
                           "browser-subprocess-path",
                           "type",
                           "profile-directory",
                           "app",
                           "restore-last-session",
                           "disable-popup-blocking",
                           "allow-running-insecure-content",
                           "unsafely-treat-insecure-origin-as-secure",
                           "disable-site-isolation-trials",
                           "allow-file-access-from-files",
                           "auto-open-devtools-for-tabs",
                           "disk-cache-dir",
                           "incognito",
                           "guest"}) {
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const std::string plain = name;
    for (const std::string& form :
         {"--" + plain, "-" + plain, "--" + plain + "=x", "-" + plain + "=", "--" + upper,
          "  --" + plain + "=x=y ", "\t-" + upper + "=1\n"}) {
      INFO(form);
      const auto checked = check_chromium_args(Args{"--mute-audio", form});
      REQUIRE_FALSE(checked);
      CHECK(checked.error().code() == ErrorCode::kInvalidArgument);
      CHECK(checked.error().message().find("--" + plain) != std::string::npos);
    }
  }
}

TEST_CASE("what is no switch is refused", "[unit]") {
  for (const char* argument :
       {"", " ", "-", "--", "---no-sandbox", "http://evil.test/", "about:blank", "--=x", "-- x",
        "--a b", "--mute-audio\n--no-sandbox", "--x=\x01", "\xE2\x80\x93no-sandbox"}) {
    INFO(argument);
    CHECK_FALSE(check_chromium_args(Args{argument}));
  }
}

TEST_CASE("lists of features are merged and can't bring the back/forward cache back", "[unit]") {
  const auto merged =
      check_chromium_args(Args{"--disable-features=A, B", "-enable-features=C:x/y",
                               "--DISABLE-FEATURES=D", "--enable-features=E", "-mute-audio"});
  REQUIRE(merged);
  CHECK(*merged == Args{"--mute-audio", "--disable-features=BackForwardCache,A,B,D",
                        "--enable-features=C:x/y,E"});
  CHECK(*check_chromium_args(*merged) == *merged);
  CHECK(*check_chromium_args({}) == Args{"--disable-features=BackForwardCache"});
  for (const char* list :
       {"BackForwardCache", "A,BackForwardCache", "backforwardcache", "*BackForwardCache",
        "BackForwardCache<Trial", "BackForwardCache:a/b", " BackForwardCache "}) {
    INFO(list);
    CHECK_FALSE(check_chromium_args(Args{std::string("--enable-features=") + list}));
  }
}

}  // namespace agentlock::browser
