#include <nlohmann/json.hpp>

#include "agentlock/verify.hpp"
#include "base/json.hpp"

namespace agentlock {

std::string_view to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::kChangedLine:
      return "changed_line";
    case FaultKind::kRemovedLine:
      return "removed_line";
    case FaultKind::kSwappedLines:
      return "swapped_lines";
    case FaultKind::kRepeatedLine:
      return "repeated_line";
    case FaultKind::kInsertedLine:
      return "inserted_line";
    case FaultKind::kBrokenLink:
      return "broken_link";
    case FaultKind::kBadSignature:
      return "bad_signature";
    case FaultKind::kForeignKey:
      return "foreign_key";
    case FaultKind::kBadReceipt:
      return "bad_receipt";
    case FaultKind::kReusedReceipt:
      return "reused_receipt";
    case FaultKind::kContradiction:
      return "contradiction";
    case FaultKind::kAfterEnd:
      return "after_end";
    case FaultKind::kTimeBackwards:
      return "time_backwards";
    case FaultKind::kNoLogLine:
      return "no_log_line";
    case FaultKind::kCutTail:
      return "cut_tail";
    case FaultKind::kMissingSession:
      return "missing_session";
  }
  return "changed_line";
}

std::string_view to_string(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kVerified:
      return "verified";
    case LogVerdict::kUnfinished:
      return "unfinished";
    case LogVerdict::kUnpinned:
      return "unpinned";
    case LogVerdict::kBroken:
      return "broken";
  }
  return "broken";
}

Json to_json(const VerifyReport& report) {
  Json json = Json::object();
  json["verdict"] = to_string(report.verdict);
  json["pinned"] = report.pinned;
  json["lines"] = report.lines;
  json["sessions"] = report.sessions;
  json["checkpoints"] = report.checkpoints;
  json["allowed"] = report.allowed;
  json["denied"] = report.denied;
  json["receipts"] = report.receipts;
  json["unchecked_receipts"] = report.unchecked_receipts;
  json["unfinished_sessions"] = report.unfinished_sessions;
  json["unfinished"] = Json::array();
  for (const auto& session : report.unfinished) {
    Json one = Json::object();
    one["session"] = session.session;
    one["last_line"] = session.last_line;
    one["vouched_seq"] = nullptr;
    if (session.vouched) one["vouched_seq"] = session.vouched_seq;
    one["torn_line"] = nullptr;
    if (session.torn_line) one["torn_line"] = *session.torn_line;
    json["unfinished"].push_back(std::move(one));
  }
  json["torn_lines"] = report.torn_lines;
  json["torn"] = report.torn;
  json["first_fault"] = nullptr;
  if (report.first_fault) {
    const Fault& fault = *report.first_fault;
    Json one = Json::object();
    one["kind"] = to_string(fault.kind);
    one["line"] = fault.line;
    one["byte"] = nullptr;
    if (fault.byte) one["byte"] = *fault.byte;
    one["session"] = fault.session;
    one["seq"] = nullptr;
    if (fault.seq) one["seq"] = *fault.seq;
    one["detail"] = fault.detail;
    json["first_fault"] = std::move(one);
  }
  return json;
}

}  // namespace agentlock
