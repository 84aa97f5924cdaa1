#include "browser/launch_flags.hpp"

#include <algorithm>
#include <array>
#include <string_view>

// Chromium takes the last of two equal switches, so a single extra switch of the
// operator's could undo what the gate rests on. Which switches exist changes with
// every version and no list of harmful ones is complete; but the operator means
// no harm, he copies switches from other tools' manuals. So whole families are
// refused by a word in their name, rather too many than too few, and ours by
// their full names. Names are compared as Chromium reads them: white space around
// an argument is cut, one dash is as good as two, and everything up to the first
// '=' is the name. What has no dash is a page to open, and "--" makes pages of
// all that follows: neither is a switch.

namespace agentlock::browser {
namespace {

// Source: navigation.md, section 14. What restricts a page's own requests is not there yet.
constexpr std::array kFixed = {
    std::string_view("--remote-debugging-port=0"),
    std::string_view("--no-startup-window"),
    std::string_view("--no-first-run"),
    std::string_view("--disable-background-networking"),
    std::string_view("--disable-component-update"),
    std::string_view("--disable-sync"),
    std::string_view("--disable-quic"),
    std::string_view("--disable-gpu"),
    std::string_view("--webrtc-ip-handling-policy=disable_non_proxied_udp"),
    std::string_view("--force-webrtc-ip-handling-policy=disable_non_proxied_udp"),
    std::string_view("--use-fake-ui-for-media-stream=deny"),
};

constexpr std::string_view kDisableFeatures = "disable-features";
constexpr std::string_view kEnableFeatures = "enable-features";
// A page that is restored from it sends without a request of its own (fact 6).
constexpr std::string_view kBackForwardCache = "BackForwardCache";

struct Family {
  std::string_view word;
  std::string_view what;
};

constexpr std::array kRefusedWords = {
    Family{"sandbox", "the sandbox"},
    Family{"remote-", "debugging"},
    Family{"devtools", "debugging"},
    Family{"inspector", "debugging"},
    Family{"debugger", "debugging"},
    Family{"proxy", "the proxy"},
    Family{"host-resolver", "name resolution"},
    Family{"host-rules", "name resolution"},
    Family{"dns-over", "name resolution"},
    Family{"cert", "the check of certificates"},
    Family{"web-security", "the separation of origins"},
    Family{"site-isolation", "the separation of origins"},
    Family{"insecure-origin", "the separation of origins"},
    Family{"insecure-content", "the separation of origins"},
    Family{"file-access", "access to files"},
    Family{"extension", "extensions"},
    Family{"webrtc", "WebRTC"},
    Family{"quic", "QUIC"},
    Family{"fieldtrial", "field trials"},
    Family{"field-trial", "field trials"},
    Family{"variations", "field trials"},
    Family{"bfcache", "the back/forward cache"},
    Family{"back-forward", "the back/forward cache"},
    Family{"fake-ui-for", "permission prompts"},
    Family{"popup-blocking", "the blocking of popups"},
    Family{"cmd-prefix", "the programs that are run"},
    Family{"launcher", "the programs that are run"},
};

constexpr std::array kRefusedNames = {
    Family{"headless", "the key headless decides it"},
    Family{"user-agent", "the key user_agent decides it"},
    Family{"window-size", "the key viewport decides it"},
    Family{"lang", "the key locale decides it"},
    Family{"accept-lang", "the key locale decides it"},
    Family{"user-data-dir", "the key user_data_dir decides it"},
    Family{"profile-directory", "the profile is ours to prepare"},
    Family{"profile-email", "the profile is ours to prepare"},
    Family{"guest", "the profile is ours to prepare"},
    Family{"incognito", "the profile is ours to prepare"},
    Family{"bwsi", "the profile is ours to prepare"},
    Family{"disk-cache-dir", "files stay in the private folder"},
    Family{"restore-last-session", "no page opens by itself"},
    Family{"app", "no page opens by itself"},
    Family{"app-id", "no page opens by itself"},
    Family{"single-process", "it removes the separation of processes"},
    Family{"in-process-gpu", "it removes the separation of processes"},
    Family{"browser-subprocess-path", "it names another program to run"},
    Family{"type", "it makes another program of the browser"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhite) - begin + 1);
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool is_word(std::string_view text, std::string_view more) {
  return std::all_of(text.begin(), text.end(), [more](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
  });
}

tl::unexpected<Error> refuse(std::string_view what, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument,
              std::string(what) + " is not allowed: " + std::string(why));
}

// The parts of a comma separated list that hold something.
std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::string_view part = trim(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(
        list.size(), list.find(',') == std::string_view::npos ? list.size() : list.find(',') + 1));
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

// "*Name<Trial.Group:parameter/value" is Chromium's longest form of a feature.
std::string_view feature_name(std::string_view entry) {
  if (entry.starts_with('*')) entry.remove_prefix(1);
  return trim(entry.substr(0, entry.find_first_of("<:.")));
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

struct Switch {
  std::string name;  // in lower case
  std::string_view value;
  std::string_view whole;  // without its dashes
};

Result<Switch> parse_switch(const std::string& argument) {
  std::string_view text = trim(argument);
  if (has_control(text)) return refuse("a switch with a control character", "it can't be one");
  if (!text.starts_with('-')) {
    return refuse("\"" + std::string(text) + "\"", "it is no switch but a page to open");
  }
  text.remove_prefix(text.starts_with("--") ? 2 : 1);
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (name.empty() || name.starts_with('-') || !is_word(name, "-_")) {
    return refuse("\"" + std::string(trim(argument)) + "\"", "it has no switch's name");
  }
  return Switch{lower(name),
                equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1),
                text};
}

// Why the switch is refused, or empty.
std::string_view objection(std::string_view name) {
  for (const std::string_view ours : kFixed) {
    if (name == ours.substr(2, ours.find('=') - 2)) return "agentlock-browser sets it itself";
  }
  for (const Family& refused : kRefusedNames) {
    if (name == refused.word) return refused.what;
  }
  return {};
}

Result<void> check(const Switch& given) {
  const std::string shown = "--" + given.name;
  if (const std::string_view why = objection(given.name); !why.empty()) return refuse(shown, why);
  for (const Family& refused : kRefusedWords) {
    if (given.name.find(refused.word) != std::string::npos) {
      return refuse(shown, "switches about " + std::string(refused.what) + " could undo the wall");
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> check_chromium_args(const std::vector<std::string>& arguments) {
  std::vector<std::string> checked;
  std::vector<std::string> disabled = {std::string(kBackForwardCache)};
  std::vector<std::string> enabled;
  for (const std::string& argument : arguments) {
    AGENTLOCK_TRY(given, parse_switch(argument));
    if (auto allowed = check(given); !allowed) return tl::unexpected(allowed.error());
    if (given.name == kDisableFeatures) {
      for (std::string& feature : split_list(given.value)) {
        if (feature != kBackForwardCache) disabled.push_back(std::move(feature));
      }
    } else if (given.name == kEnableFeatures) {
      for (std::string& feature : split_list(given.value)) {
        if (lower(feature_name(feature)) == lower(kBackForwardCache)) {
          return refuse("--enable-features=" + feature, "the back/forward cache stays off");
        }
        enabled.push_back(std::move(feature));
      }
    } else {
      checked.push_back("--" + std::string(given.whole));
    }
  }
  checked.push_back("--" + std::string(kDisableFeatures) + "=" + join(disabled, ","));
  if (!enabled.empty()) {
    checked.push_back("--" + std::string(kEnableFeatures) + "=" + join(enabled, ","));
  }
  return checked;
}

Result<LaunchFlags> make_launch_flags(const BrowserSettings& settings,
                                      const std::filesystem::path& profile, bool running_as_root) {
  const auto bad = [](std::string_view key) {
    return fail(ErrorCode::kInvalidArgument, std::string(key) + " has a value that is none");
  };
  if (has_control(settings.user_agent)) return bad("user_agent");
  if (!is_word(settings.locale, "-_")) return bad("locale");
  if (!is_word(settings.timezone, "/_+-")) return bad("timezone");
  auto operators = check_chromium_args(settings.chromium_args);
  if (!operators) return fail(operators.error(), "chromium_args");

  LaunchFlags flags;
  flags.sandboxed = !running_as_root;
  flags.arguments.assign(kFixed.begin(), kFixed.end());
  flags.arguments.push_back("--user-data-dir=" + profile.string());
  if (settings.headless) flags.arguments.emplace_back("--headless=new");
  if (running_as_root) flags.arguments.emplace_back("--no-sandbox");
  if (!settings.user_agent.empty()) {
    flags.arguments.push_back("--user-agent=" + settings.user_agent);
  }
  if (!settings.locale.empty()) {
    // --lang alone changes nothing where only the English texts are installed, as
    // with Debian's package; this is what pages and servers are told.
    const std::string language = settings.locale.substr(0, settings.locale.find('-'));
    flags.arguments.push_back("--lang=" + settings.locale);
    flags.arguments.push_back("--accept-lang=" + settings.locale +
                              (language == settings.locale ? "" : "," + language));
  }
  if (settings.viewport) {
    constexpr int kMaxSide = 16'384;
    const auto [width, height] = *settings.viewport;
    if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide) return bad("viewport");
    flags.arguments.push_back("--window-size=" + std::to_string(width) + "," +
                              std::to_string(height));
  }
  std::vector<std::string> rules;
  for (const HostMapping& mapping : settings.test_hosts) {
    rules.push_back("MAP " + mapping.host + " " + mapping.address);
  }
  if (!rules.empty()) {
    flags.arguments.push_back("--host-resolver-rules=" + join(rules, ", "));
  }
  if (!settings.test_spki.empty()) {
    flags.arguments.push_back("--ignore-certificate-errors-spki-list=" +
                              join(settings.test_spki, ","));
  }
  flags.arguments.insert(flags.arguments.end(), operators->begin(), operators->end());
  return flags;
}

}  // namespace agentlock::browser
