#include "cli/verify.hpp"

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "agentlock/verify.hpp"
#include "base/json.hpp"
#include "cli/log_trust.hpp"
#include "cli/state_folder.hpp"
#include "cli/terminal_text.hpp"

namespace agentlock::cli {
namespace {

struct Arguments {
  TrustedWith trusted;
  bool json = false;
};

std::optional<Arguments> arguments_of(std::span<const std::string> args) {
  Arguments parsed;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool has_value = i + 1 < args.size();
    if (args[i] == "--json") {
      parsed.json = true;
    } else if (args[i] == "--key" && has_value) {
      parsed.trusted.key = args[++i];
    } else if (args[i] == "--secret" && has_value) {
      parsed.trusted.secret = args[++i];
    } else if (parsed.trusted.log.empty() && !args[i].starts_with("--")) {
      parsed.trusted.log = args[i];
    } else {
      return std::nullopt;
    }
  }
  if (parsed.trusted.log.empty()) return std::nullopt;
  return parsed;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

void print_fault(const Fault& fault, std::ostream& out) {
  out << "  first fault: " << to_string(fault.kind);
  if (fault.line > 0) out << " at line " << fault.line;
  if (fault.byte) out << " (byte " << *fault.byte << ")";
  if (!fault.session.empty()) out << ", session " << printable_ascii(fault.session);
  if (fault.seq) out << ", seq " << *fault.seq;
  out << "\n    " << printable_ascii(fault.detail) << '\n';
}

void print(const VerifyReport& report, const Arguments& arguments, const Trust& trust,
           std::ostream& out) {
  out << printable_ascii(arguments.trusted.log) << ": " << to_string(report.verdict) << '\n';
  out << "  " << counted(report.lines, "line") << ", " << counted(report.sessions, "session")
      << ", " << counted(report.checkpoints, "signature") << ", "
      << counted(report.receipts, "receipt") << " (" << report.allowed << " allowed, "
      << report.denied << " denied)\n";
  if (report.pinned) {
    out << "  key " << trust.key->hex() << " from " << printable_ascii(trust.key_file.string())
        << '\n';
  } else {
    out << "  no key was given or found, so only the log vouches for itself: use --key FILE\n";
  }
  if (report.unchecked_receipts > 0) {
    out << "  " << counted(report.unchecked_receipts, "receipt")
        << " by HMAC-SHA256 not checked: use --secret FILE\n";
  }
  for (const auto& session : report.unfinished) {
    out << "  session " << printable_ascii(session.session)
        << " is unfinished; its last line is line " << session.last_line << ", signed "
        << (session.vouched ? "up to seq " + std::to_string(session.vouched_seq) : "nowhere");
    if (session.torn_line) out << "; its line " << *session.torn_line << " is torn";
    out << '\n';
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
  auto trust = trust_of(arguments->trusted);
  if (!trust) {
    err << "verify: " << printable_ascii(trust.error().describe()) << '\n';
    return kUnreadableExit;
  }
  auto log = open_log(arguments->trusted.log);
  if (!log) {
    err << "verify: " << printable_ascii(log.error().describe()) << '\n';
    return kUnreadableExit;
  }
  const auto report = verify_log(*log, trust->verify_options());
  if (!report) {
    err << "verify: " << printable_ascii(arguments->trusted.log) << ": "
        << printable_ascii(report.error().describe()) << '\n';
    return kUnreadableExit;
  }
  const int code = exit_code(report->verdict);
  if (arguments->json) {
    Json json = to_json(*report);
    json["log"] = arguments->trusted.log;
    json["key"] = nullptr;
    if (report->pinned) json["key"] = trust->key->hex();
    json["exit_code"] = code;
    out << json.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n';
  } else {
    print(*report, *arguments, *trust, out);
  }
  return code;
}

}  // namespace agentlock::cli
