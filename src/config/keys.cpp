#include "config/keys.hpp"

#include <array>
#include <charconv>
#include <string>

#include <nlohmann/json.hpp>

#include "base/encoding.hpp"

namespace agentlock::config {
namespace {

Result<void> wrong(std::string what) { return fail(ErrorCode::kInvalidArgument, std::move(what)); }

template <std::string Config::* Member>
Result<void> set_text(Config& config, const Json& value) {
  if (!value.is_string()) return wrong("must be a text");
  config.*Member = value.get<std::string>();
  return {};
}

template <std::filesystem::path Config::* Member>
Result<void> set_path(Config& config, const Json& value) {
  if (!value.is_string() || value.get<std::string>().empty()) return wrong("must be a path");
  config.*Member = value.get<std::string>();
  return {};
}

template <auto Member>
Result<void> set_switch(Config& config, const Json& value) {
  if (!value.is_boolean()) return wrong("must be true or false");
  config.*Member = value.get<bool>();
  return {};
}

template <std::chrono::milliseconds Config::* Member>
Result<void> set_timeout(Config& config, const Json& value) {
  if (!value.is_number_integer()) return wrong("must be a whole number of milliseconds");
  const auto number = value.get<std::int64_t>();
  if (number < 100 || number > 600'000) return wrong("must be from 100 to 600000 milliseconds");
  config.*Member = std::chrono::milliseconds(number);
  return {};
}

Result<std::vector<std::string>> text_list(const Json& value) {
  if (!value.is_array()) return fail(ErrorCode::kInvalidArgument, "must be a list of texts");
  std::vector<std::string> list;
  for (const Json& item : value) {
    if (!item.is_string()) return fail(ErrorCode::kInvalidArgument, "must be a list of texts");
    list.push_back(item.get<std::string>());
  }
  return list;
}

Result<void> set_allowlist(Config& config, const Json& value) {
  AGENTLOCK_TRY(entries, text_list(value));
  config.allowlist.clear();
  for (const std::string& entry : entries) {
    AGENTLOCK_TRY(origin, Origin::parse_entry(entry));
    config.allowlist.push_back(origin);
  }
  return {};
}

Result<void> set_chromium_args(Config& config, const Json& value) {
  AGENTLOCK_TRY(entries, text_list(value));
  config.chromium_args = entries;
  return {};
}

Result<void> set_lineage_mode(Config& config, const Json& value) {
  const auto mode = value.is_string() ? lineage_mode_of(value.get<std::string>()) : std::nullopt;
  if (!mode) return wrong("must be agentlock, closed or require");
  config.lineage_mode = *mode;
  return {};
}

Result<void> set_hop_policy(Config& config, const Json& value) {
  const auto policy = value.is_string() ? hop_policy_of(value.get<std::string>()) : std::nullopt;
  if (!policy) return wrong("must be usual or strict");
  config.hop_policy = *policy;
  return {};
}

Result<void> set_receipt_method(Config& config, const Json& value) {
  const std::string method = value.is_string() ? value.get<std::string>() : "";
  if (method != "ed25519" && method != "hmac-sha256") {
    return wrong("must be ed25519 or hmac-sha256");
  }
  config.receipt_method = method;
  return {};
}

Result<void> set_ledger_max_mb(Config& config, const Json& value) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
      value.get<std::int64_t>() > 4096) {
    return wrong("must be a whole number from 1 to 4096");
  }
  config.ledger_max_mb = value.get<std::int64_t>();
  return {};
}

Result<void> set_viewport(Config& config, const Json& value) {
  const Json* width = member(value, "width");
  const Json* height = member(value, "height");
  const auto usable = [](const Json* side) {
    return side != nullptr && side->is_number_integer() && side->get<std::int64_t>() >= 100 &&
           side->get<std::int64_t>() <= 10'000;
  };
  if (!usable(width) || !usable(height) || value.size() != 2) {
    return wrong("must be {\"width\": W, \"height\": H} with sides from 100 to 10000");
  }
  config.viewport = Viewport{width->get<std::int64_t>(), height->get<std::int64_t>()};
  return {};
}

Result<void> set_confirm_cap(Config& config, const Json& value) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
      value.get<std::int64_t>() > 1'000) {
    return wrong("must be a number from 0 to 1000");
  }
  config.confirm_cap = value.get<std::size_t>();
  return {};
}

Result<void> set_confirm_timeout(Config& config, const Json& value) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
      value.get<std::int64_t>() > 86'400) {
    return wrong("must be a number of seconds from 1 to 86400");
  }
  config.confirm_timeout = std::chrono::seconds(value.get<std::int64_t>());
  return {};
}

Result<void> not_yet(Config& /*config*/, const Json& /*value*/) {
  return wrong("is not in this version yet: leave it out");
}

// Source: tools.md, "Configuration".
constexpr std::array kKeys = {
    Key{"allowlist", "AGENTLOCK_BROWSER_ALLOWLIST", Kind::kTextList, set_allowlist},
    Key{"operator_text", "AGENTLOCK_BROWSER_OPERATOR_TEXT", Kind::kText,
        set_text<&Config::operator_text>},
    Key{"log_path", "AGENTLOCK_BROWSER_LOG", Kind::kText, set_path<&Config::log_path>},
    Key{"headless", "AGENTLOCK_BROWSER_HEADLESS", Kind::kSwitch, set_switch<&Config::headless>},
    Key{"lineage_mode", "AGENTLOCK_BROWSER_LINEAGE_MODE", Kind::kText, set_lineage_mode},
    Key{"chromium_path", "AGENTLOCK_BROWSER_CHROMIUM", Kind::kText,
        set_text<&Config::chromium_path>},
    Key{"chromium_args", "", Kind::kTextList, set_chromium_args},
    Key{"user_agent", "", Kind::kText, set_text<&Config::user_agent>},
    Key{"viewport", "", Kind::kViewport, set_viewport},
    Key{"locale", "", Kind::kText, set_text<&Config::locale>},
    Key{"timezone", "", Kind::kText, set_text<&Config::timezone>},
    Key{"user_data_dir", "", Kind::kText, not_yet},
    Key{"nav_timeout_ms", "", Kind::kNumber, set_timeout<&Config::nav_timeout>},
    Key{"action_timeout_ms", "", Kind::kNumber, set_timeout<&Config::action_timeout>},
    Key{"confirm_cap", "", Kind::kNumber, set_confirm_cap},
    Key{"confirm_timeout_s", "", Kind::kNumber, set_confirm_timeout},
    Key{"confirm_unclassified", "", Kind::kSwitch, set_switch<&Config::confirm_unclassified>},
    Key{"hop_policy", "AGENTLOCK_BROWSER_HOP_POLICY", Kind::kText, set_hop_policy},
    Key{"ledger_max_mb", "", Kind::kNumber, set_ledger_max_mb},
    Key{"log_page_text", "", Kind::kSwitch, set_switch<&Config::log_page_text>},
    Key{"receipt_method", "", Kind::kText, set_receipt_method},
    Key{"prelaunch", "", Kind::kSwitch, set_switch<&Config::prelaunch>},
    Key{"operator_channel", "", Kind::kSwitch, set_switch<&Config::operator_channel>},
    Key{"role", "", Kind::kText, set_text<&Config::role>},
    Key{"signing_key", "AGENTLOCK_BROWSER_SIGNING_KEY", Kind::kText,
        set_path<&Config::signing_key>},
};

}  // namespace

std::span<const Key> keys() { return kKeys; }

Result<Json> from_text(const Key& key, std::string_view text) {
  if (!is_utf8(text)) return fail(ErrorCode::kInvalidArgument, "must be UTF-8");
  switch (key.kind) {
    case Kind::kText:
      return Json(std::string(text));
    case Kind::kTextList: {
      Json list = Json::array();
      while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        if (!item.empty()) list.push_back(std::string(item));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
      }
      return list;
    }
    case Kind::kSwitch:
      if (text == "0" || text == "false" || text == "no") return Json(false);
      if (text == "1" || text == "true" || text == "yes") return Json(true);
      return fail(ErrorCode::kInvalidArgument, "must be 1, true, yes, 0, false or no");
    case Kind::kNumber: {
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc{} || end != text.data() + text.size()) {
        return fail(ErrorCode::kInvalidArgument, "must be a whole number");
      }
      return Json(number);
    }
    case Kind::kViewport: {
      const std::size_t cross = text.find('x');
      const Key side{key.name, "", Kind::kNumber, nullptr};
      if (cross == std::string_view::npos) {
        return fail(ErrorCode::kInvalidArgument, "must be WIDTHxHEIGHT");
      }
      AGENTLOCK_TRY(width, from_text(side, text.substr(0, cross)));
      AGENTLOCK_TRY(height, from_text(side, text.substr(cross + 1)));
      return Json{{"width", width}, {"height", height}};
    }
  }
  return fail(ErrorCode::kInternal, "no such kind of key");
}

}  // namespace agentlock::config
