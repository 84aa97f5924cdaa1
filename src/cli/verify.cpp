#include "cli/verify.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "agentlock/verify.hpp"
#include "base/encoding.hpp"
#include "base/json.hpp"
#include "cli/state_folder.hpp"

namespace agentlock::cli {
namespace {

constexpr int kUsageExit = 2;
constexpr int kUnreadableExit = 5;

int exit_code(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kVerified:
      return 0;
    case LogVerdict::kBroken:
      return 1;
    case LogVerdict::kUnfinished:
      return 3;
    case LogVerdict::kUnpinned:
      return 4;
  }
  return 1;
}

struct Arguments {
  std::string log;
  std::optional<std::string> key;
  std::optional<std::string> secret;
  bool json = false;
};

std::optional<Arguments> arguments_of(std::span<const std::string> args) {
  Arguments parsed;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool has_value = i + 1 < args.size();
    if (args[i] == "--json") {
      parsed.json = true;
    } else if (args[i] == "--key" && has_value) {
      parsed.key = args[++i];
    } else if (args[i] == "--secret" && has_value) {
      parsed.secret = args[++i];
    } else if (parsed.log.empty() && !args[i].starts_with("--")) {
      parsed.log = args[i];
    } else {
      return std::nullopt;
    }
  }
  if (parsed.log.empty()) return std::nullopt;
  return parsed;
}

// What a terminal shows as it is; a log's text could otherwise steer it.
std::string ascii(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c >= 0x20 && c < 0x7F && c != '\\') {
      safe += c;
    } else {
      safe += "\\x" + to_hex(std::string_view(&c, 1));
    }
  }
  return safe;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

// The key file that the server here would sign with, if that can be told.
std::optional<std::filesystem::path> own_key_file() {
  const char* named = std::getenv("AGENTLOCK_BROWSER_SIGNING_KEY");
  if (named != nullptr && *named != '\0') return std::filesystem::path(named);
  const auto folder = state_folder(std::getenv("HOME"), std::getenv("XDG_STATE_HOME"));
  if (!folder) return std::nullopt;
  return signing_key_in(*folder);
}

struct Trust {
  std::filesystem::path key_file;  // empty if there is none
  std::optional<SigningKey> secret;
  VerifyOptions options;
};

Result<Trust> trust_of(const Arguments& arguments) {
  Trust trust;
  trust.options.log = arguments.log;
  const auto own = own_key_file();
  if (arguments.key) {
    trust.key_file = *arguments.key;
  } else if (own) {
    trust.key_file = public_half_beside(*own);
  }
  if (!trust.key_file.empty()) {
    auto key = PublicKey::load(trust.key_file);
    if (key) {
      trust.options.key = std::move(*key);
      trust.options.heads = heads_beside(std::filesystem::absolute(trust.key_file));
    } else if (arguments.key || key.error().code() != ErrorCode::kNotFound) {
      return tl::unexpected(key.error());
    } else {
      trust.key_file.clear();
    }
  }
  if (arguments.secret) {
    auto secret = SigningKey::load(std::filesystem::absolute(*arguments.secret));
    if (!secret) return tl::unexpected(secret.error());
    trust.secret = std::move(*secret);
  } else if (!arguments.key && own) {
    // Without it HMAC receipts stay unchecked, which the verdict says.
    if (auto secret = SigningKey::load(*own)) trust.secret = std::move(*secret);
  }
  return trust;
}

void print_fault(const Fault& fault, std::ostream& out) {
  out << "  first fault: " << to_string(fault.kind);
  if (fault.line > 0) out << " at line " << fault.line;
  if (fault.byte) out << " (byte " << *fault.byte << ")";
  if (!fault.session.empty()) out << ", session " << ascii(fault.session);
  if (fault.seq) out << ", seq " << *fault.seq;
  out << "\n    " << ascii(fault.detail) << '\n';
}

void print(const VerifyReport& report, const Arguments& arguments, const Trust& trust,
           std::ostream& out) {
  out << ascii(arguments.log) << ": " << to_string(report.verdict) << '\n';
  out << "  " << counted(report.lines, "line") << ", " << counted(report.sessions, "session")
      << ", " << counted(report.checkpoints, "signature") << ", "
      << counted(report.receipts, "receipt") << " (" << report.allowed << " allowed, "
      << report.denied << " denied)\n";
  if (report.pinned) {
    out << "  key " << trust.options.key->hex() << " from " << ascii(trust.key_file.string())
        << '\n';
  } else {
    out << "  no key was given or found, so only the log vouches for itself: use --key FILE\n";
  }
  if (report.unchecked_receipts > 0) {
    out << "  " << counted(report.unchecked_receipts, "receipt")
        << " by HMAC-SHA256 not checked: use --secret FILE\n";
  }
  for (const auto& session : report.unfinished) {
    out << "  session " << ascii(session.session) << " is unfinished; its last line is line "
        << session.last_line << ", signed "
        << (session.vouched ? "up to seq " + std::to_string(session.vouched_seq) : "nowhere")
        << '\n';
  }
  for (const auto line : report.torn) out << "  line " << line << " is torn\n";
  if (report.first_fault) print_fault(*report.first_fault, out);
}

}  // namespace

int verify_command(std::span<const std::string> args, std::ostream& out, std::ostream& err) {
  const auto arguments = arguments_of(args);
  if (!arguments) {
    err << "usage: agentlock-browser verify LOG [--key FILE] [--secret FILE] [--json]\n";
    return kUsageExit;
  }
  auto trust = trust_of(*arguments);
  if (!trust) {
    err << "verify: " << ascii(trust.error().describe()) << '\n';
    return kUnreadableExit;
  }
  if (trust->secret) trust->options.secret = &*trust->secret;
  std::ifstream log(arguments->log, std::ios::binary);
  if (!log) {
    err << "verify: " << ascii(arguments->log) << " cannot be opened\n";
    return kUnreadableExit;
  }
  const auto report = verify_log(log, trust->options);
  if (!report) {
    err << "verify: " << ascii(arguments->log) << ": " << ascii(report.error().describe()) << '\n';
    return kUnreadableExit;
  }
  const int code = exit_code(report->verdict);
  if (arguments->json) {
    Json json = to_json(*report);
    json["log"] = arguments->log;
    json["key"] = nullptr;
    if (report->pinned) json["key"] = trust->options.key->hex();
    json["exit_code"] = code;
    out << json.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n';
  } else {
    print(*report, *arguments, *trust, out);
  }
  return code;
}

}  // namespace agentlock::cli
