#include "config/config.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "config/keys.hpp"

namespace agentlock::config {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20U;
constexpr std::string_view kVariablePrefix = "AGENTLOCK_BROWSER_";
constexpr std::string_view kFileVariable = "AGENTLOCK_BROWSER_CONFIG";
constexpr std::string_view kLevelVariable = "AGENTLOCK_BROWSER_LOG_LEVEL";

tl::unexpected<Error> bad(std::string_view source, std::string_view key, std::string_view what) {
  return fail(ErrorCode::kInvalidArgument,
              "config: " + std::string(source) + ": " + std::string(key) + " " + std::string(what));
}

/// A name from outside, in quotes and on one line.
std::string in_quotes(std::string_view name) { return to_line(Json(std::string(name))); }

const Key* find_key(std::string_view name) {
  for (const Key& key : keys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

Result<void> apply_text(Config& config, const Key& key, std::string_view source,
                        std::string_view text) {
  auto value = from_text(key, text);
  if (!value) return bad(source, key.name, value.error().message());
  if (auto applied = key.apply(config, *value); !applied) {
    return bad(source, key.name, applied.error().message());
  }
  return {};
}

Result<void> apply_file(Config& config, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(ErrorCode::kIo, "config: can't read " + path + ": check the path and its mode");
  }
  std::string text(kMaxFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFile) return fail(ErrorCode::kLimit, "config: " + path + " is over 1 MiB");
  auto json = parse_json(std::move(text), {.max_depth = 8});
  if (!json) return fail(json.error().code(), "config: " + path + ": " + json.error().message());
  if (!json->is_object()) return bad(path, "the file", "must hold one JSON object");
  for (const auto& [name, value] : json->items()) {
    const Key* key = find_key(name);
    if (key == nullptr) return bad(path, in_quotes(name), "is no key that this version knows");
    if (auto applied = key->apply(config, value); !applied) {
      return bad(path, name, applied.error().message());
    }
  }
  return {};
}

Result<void> apply_environment(Config& config,
                               const std::map<std::string, std::string>& variables) {
  for (const auto& [name, value] : variables) {
    const bool known = name == kFileVariable || name == kLevelVariable ||
                       std::any_of(keys().begin(), keys().end(),
                                   [&](const Key& key) { return key.variable == name; });
    if (name.starts_with(kVariablePrefix) && !known) {
      return bad("environment", in_quotes(name), "is no variable that this version knows");
    }
  }
  for (const Key& key : keys()) {
    if (key.variable.empty()) continue;
    const auto found = variables.find(std::string(key.variable));
    if (found == variables.end()) continue;
    if (auto applied = apply_text(config, key, key.variable, found->second); !applied) {
      return applied;
    }
  }
  return {};
}

/// A flag of the command line: its name with underscores, and its value.
struct Flag {
  std::string name;
  std::optional<std::string> value;
};

Result<std::vector<Flag>> parse_flags(std::span<const std::string> arguments) {
  std::vector<Flag> flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      return bad("command line", in_quotes(argument), "is not a flag: see --help");
    }
    const std::size_t equals = argument.find('=');
    Flag flag{argument.substr(2, equals == std::string::npos ? equals : equals - 2), {}};
    for (char& c : flag.name) {
      if (c == '-') c = '_';
    }
    if (equals != std::string::npos) {
      flag.value = argument.substr(equals + 1);
    } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
      flag.value = arguments[++i];
    }
    flags.push_back(std::move(flag));
  }
  return flags;
}

Result<void> apply_flag(Config& config, const Flag& flag) {
  if (flag.name == "test_host_map") {
    const std::size_t equals = flag.value ? flag.value->find('=') : std::string::npos;
    if (equals == std::string::npos) {
      return bad("command line", "--test-host-map", "must be host[:port]=127.0.0.1:port");
    }
    config.test_hosts.emplace_back(flag.value->substr(0, equals), flag.value->substr(equals + 1));
    return {};
  }
  if (flag.name == "test_spki") {
    if (!flag.value) return bad("command line", "--test-spki", "must be a base64 hash");
    config.test_spki.push_back(*flag.value);
    return {};
  }
  if (flag.name == "conformance_fixtures") {
    if (flag.value) return bad("command line", "--conformance-fixtures", "takes no value");
    config.conformance_fixtures = true;
    return {};
  }
  const Key* key = find_key(flag.name);
  std::string shown = "--" + flag.name;
  for (char& c : shown) {
    if (c == '_') c = '-';
  }
  if (key == nullptr) {
    return bad("command line", in_quotes(shown), "is no flag that this version knows");
  }
  if (!flag.value && key->kind != Kind::kSwitch) return bad("command line", shown, "needs a value");
  return apply_text(config, *key, "command line", flag.value.value_or("true"));
}

}  // namespace

Result<Config> load(const Sources& sources) {
  Config config;
  AGENTLOCK_TRY(flags, parse_flags(sources.arguments));

  std::string file;
  if (const auto found = sources.environment.find(std::string(kFileVariable));
      found != sources.environment.end()) {
    file = found->second;
  }
  for (const Flag& flag : flags) {
    if (flag.name == "config" && flag.value) file = *flag.value;
  }
  if (!file.empty()) {
    if (auto applied = apply_file(config, file); !applied) return tl::unexpected(applied.error());
  }
  if (auto applied = apply_environment(config, sources.environment); !applied) {
    return tl::unexpected(applied.error());
  }
  for (const Flag& flag : flags) {
    if (flag.name == "config") {
      if (!flag.value) return bad("command line", "--config", "needs a path");
      continue;
    }
    if (auto applied = apply_flag(config, flag); !applied) return tl::unexpected(applied.error());
  }
  return config;
}

Policy Config::policy() const {
  Policy policy;
  policy.lineage_mode = lineage_mode;
  policy.hop_policy = hop_policy;
  policy.confirm_unclassified =
      confirm_unclassified.value_or(lineage_mode == LineageMode::kAgentlock);
  return policy;
}

Json Config::to_json() const {
  Json origins = Json::array();
  for (const Origin& origin : allowlist) origins.push_back(origin.serialize());
  Json json = {
      {"allowlist", origins},
      {"operator_text", operator_text},
      {"log_path", log_path.string()},
      {"signing_key", signing_key.string()},
      {"receipt_method", receipt_method},
      {"log_page_text", log_page_text},
      {"role", role},
      {"lineage_mode", std::string(to_string(lineage_mode))},
      {"hop_policy", std::string(to_string(hop_policy))},
      {"confirm_unclassified", policy().confirm_unclassified},
      {"confirm_cap", confirm_cap},
      {"confirm_timeout_s", confirm_timeout.count()},
      {"ledger_max_mb", ledger_max_mb},
      {"headless", headless},
      {"prelaunch", prelaunch},
      {"operator_channel", operator_channel},
      {"chromium_path", chromium_path},
      {"chromium_args", chromium_args},
      {"user_agent", user_agent},
      {"locale", locale},
      {"timezone", timezone},
      {"nav_timeout_ms", nav_timeout.count()},
      {"action_timeout_ms", action_timeout.count()},
  };
  if (viewport) json["viewport"] = {{"width", viewport->width}, {"height", viewport->height}};
  if (!test_hosts.empty()) {
    Json hosts = Json::object();
    for (const auto& [host, address] : test_hosts) hosts[host] = address;
    json["test_hosts"] = hosts;
  }
  if (!test_spki.empty()) json["test_spki"] = test_spki;
  if (conformance_fixtures) json["conformance_fixtures"] = true;
  return json;
}

}  // namespace agentlock::config
