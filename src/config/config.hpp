#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agentlock/origin.hpp"
#include "agentlock/policy.hpp"
#include "agentlock/result.hpp"
#include "base/json.hpp"

namespace agentlock::config {

struct Viewport {
  std::int64_t width;
  std::int64_t height;
};

/// What the operator configured, checked as a whole and never changed afterwards.
/// Source: tools.md, "Configuration"; docs/configuration.md has the table.
struct Config {
  std::vector<Origin> allowlist;
  std::string operator_text;
  std::filesystem::path log_path;     ///< empty: agentlock-browser.jsonl in the state folder
  std::filesystem::path signing_key;  ///< empty: in the state folder
  std::string receipt_method = "ed25519";
  bool log_page_text = false;
  std::string role = "operator";

  LineageMode lineage_mode = LineageMode::kClosed;
  HopPolicy hop_policy = HopPolicy::kUsual;
  std::optional<bool> confirm_unclassified;
  /// Noes after which nothing more is asked for a page's origin.
  std::size_t confirm_cap = 5;
  std::chrono::seconds confirm_timeout{300};
  std::int64_t ledger_max_mb = 256;

  bool headless = true;
  bool prelaunch = false;
  bool operator_channel = false;
  std::string chromium_path;
  std::vector<std::string> chromium_args;
  std::string user_agent;
  std::optional<Viewport> viewport;
  std::string locale;
  std::string timezone;
  std::chrono::milliseconds nav_timeout{30'000};
  std::chrono::milliseconds action_timeout{10'000};

  /// For tests only: host[:port] to 127.0.0.1:port, and the keys of their
  /// certificates. Such hosts count as public ones.
  std::vector<std::pair<std::string, std::string>> test_hosts;
  std::vector<std::string> test_spki;
  /// For tests only: the tools that the official conformance suite calls are there too.
  bool conformance_fixtures = false;

  Policy policy() const;
  /// What is in force, for --print-config and the log's first line: no secrets.
  Json to_json() const;
};

/// Where the settings come from, the later ones over the earlier.
struct Sources {
  std::map<std::string, std::string> environment;
  /// `--key value` or `--key=value`, with `-` for `_`; switches stand alone.
  std::span<const std::string> arguments;
};

/// File, then environment, then flags. An unknown key, a wrong type or a value that
/// can't be kept is an error with one line that names the key and its source;
/// nothing is guessed.
Result<Config> load(const Sources& sources);

}  // namespace agentlock::config
