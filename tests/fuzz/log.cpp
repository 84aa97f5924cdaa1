// Verification of a log by a key. Nobody here can sign, so that a log is verified only
// if each of its sessions is, byte for byte, one that was really written; and what is
// vouched for in an unfinished one was really written too. A log that was only cut off
// is never called forged.
//
// Input: a log, if it begins with a brace; else what a forger does to a genuine one.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agentlock/verify.hpp"
#include "base/json.hpp"
#include "fuzz/forgery.hpp"
#include "fuzz/genuine_log.hpp"
#include "fuzz/require.hpp"

namespace {

using namespace agentlock;
using fuzz::genuine_log;
using fuzz::require;

using Sessions = std::map<std::string, std::vector<std::string>>;

VerifyReport verified(const std::string& text, bool pinned) {
  VerifyOptions options;
  if (pinned) options.key = genuine_log().key.public_key();
  options.secret = &genuine_log().key;
  std::istringstream in(text);
  auto report = verify_log(in, options);
  require(report.has_value(), "a log that can be read has a verdict");
  return std::move(*report);
}

// The whole lines of each session, in their order.
Sessions sessions_of(const std::string& text) {
  Sessions sessions;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    const std::string line = text.substr(at, end - at);
    if (const std::string session = fuzz::session_of(line); !session.empty()) {
      sessions[session].push_back(line);
    }
    at = end + 1;
  }
  return sessions;
}

bool begins_as_genuine(const std::vector<std::string>& lines, const std::string& session,
                       std::size_t count) {
  const auto genuine = genuine_log().sessions.find(session);
  return genuine != genuine_log().sessions.end() && lines.size() >= count &&
         genuine->second.size() >= count &&
         std::equal(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count),
                    genuine->second.begin());
}

void check_holds(const std::string& text, const VerifyReport& report) {
  const Sessions sessions = sessions_of(text);
  std::set<std::string> unfinished;
  for (const auto& session : report.unfinished) {
    unfinished.insert(session.session);
    if (!session.vouched) continue;
    const auto lines = sessions.find(session.session);
    require(lines != sessions.end() &&
                begins_as_genuine(lines->second, session.session, session.vouched_seq + 1),
            "what is vouched for was really written");
  }
  for (const auto& [name, lines] : sessions) {
    if (unfinished.contains(name)) continue;
    require(genuine_log().sessions.contains(name) && lines == genuine_log().sessions.at(name),
            "a session that is whole was really written");
  }
}

void check_report(const std::string& text, const VerifyReport& report) {
  const auto ended = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  const bool rest = !text.empty() && text.back() != '\n';
  require(report.lines == ended + (rest ? 1 : 0), "each line is counted");
  require((report.verdict == LogVerdict::kBroken) == report.first_fault.has_value(),
          "a log is broken where a fault was found");
  require(report.receipts == report.allowed + report.denied, "each receipt allows or denies");
  require(report.unfinished.size() == std::min<std::uint64_t>(report.unfinished_sessions, 100) &&
              report.torn.size() == std::min<std::uint64_t>(report.torn_lines, 100),
          "the first hundred are listed");
  if (report.first_fault) {
    require(report.first_fault->line <= report.lines, "a fault is on a line of the log");
    require(report.first_fault->byte.value_or(0) < text.size(), "a fault is inside the log");
  }
  const std::string json = to_json(report).dump(-1, ' ', true, Json::error_handler_t::replace);
  require(std::ranges::all_of(json, [](char c) { return c >= 0x20 && c < 0x7F; }),
          "a report is plain ASCII");
}

void check(const std::string& text) {
  const VerifyReport report = verified(text, true);
  check_report(text, report);
  require(report.verdict != LogVerdict::kUnpinned, "with key and secret nothing is unchecked");
  if (report.verdict == LogVerdict::kVerified) {
    require(report.unfinished.empty() && report.torn.empty(), "what is verified is whole");
  }
  if (report.verdict != LogVerdict::kBroken) check_holds(text, report);
  const std::string& genuine = genuine_log().text;
  if (genuine.starts_with(text)) {
    require((report.verdict == LogVerdict::kVerified) == (text == genuine) && !report.first_fault,
            "a log that was cut off is unfinished and not forged");
  }
  if (report.verdict == LogVerdict::kBroken) return;
  require(verified(text, false).verdict == LogVerdict::kUnpinned,
          "without a key nothing is verified");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  require(verified(genuine_log().text, true).verdict == LogVerdict::kVerified,
          "the genuine log is verified");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0 && data[0] == '{') {
    check(std::string(reinterpret_cast<const char*>(data), size));
  } else {
    check(fuzz::forged(genuine_log().text, data, size));
  }
  return 0;
}
