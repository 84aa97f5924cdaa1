// A log is read once, from its beginning to its end, and each line is held against
// what its session has shown so far. Sessions are interleaved, so that each has a
// small record of its own; nothing else is kept but the receipts' ids.
//
// Which fault is the first? A fault is a statement about one line, and lines are
// numbered through the file, so the smallest number wins, also where a later line
// brings an earlier fault to light (a torn line whose session goes on was not torn
// but changed). Once a session has a fault its chain proves nothing any more and
// its further lines are only counted, with two exceptions: if the line that was missing
// turns up later, the lines were swapped and not removed; and of two lines for one
// place, the one that the session goes on from is the one that belongs there.
//
// Torn or changed? A line that does not close its object is torn if its session
// shows no further line: a writer whose write failed never goes on (log_writer,
// decision_log). All other damage is a changed line.
//
// Signed or not, what a line says must agree with what is said of it elsewhere: with
// its receipt and with the lines before it (log_agreement).
//
// Limits. The log can't vouch for what came after the last signature; the verdict
// says so (unfinished), and the heads file, where it is there, tells whether more
// had been written. Whoever holds the key can write any log.

#include "agentlock/verify.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "agentlock/line_reader.hpp"
#include "agentlock/log_agreement.hpp"
#include "agentlock/log_heads.hpp"
#include "agentlock/log_line.hpp"
#include "agentlock/log_members.hpp"
#include "agentlock/receipt_check.hpp"
#include "agentlock/receipt_ids.hpp"
#include "agentlock/sha256.hpp"
#include "base/json.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMaxSessions = std::size_t{1} << 20U;
constexpr std::size_t kMaxListed = 100;

using Line = LineReader::Line;

struct Session {
  std::optional<PublicKey> key;
  std::string key_id;
  std::uint64_t next_seq = 0;
  std::string last_hash = first_prev();
  double last_ts = 0;
  std::uint64_t last_line = 0;
  std::uint64_t last_byte = 0;
  std::uint64_t vouched_seq = 0;
  bool vouched = false;
  bool ended = false;
  bool broken = false;
  std::optional<std::uint64_t> torn_line;
  std::uint64_t torn_byte = 0;
  /// After a gap: the number of the line that should have come.
  std::optional<std::uint64_t> awaited;
  /// A second line for the place of the last one: one of the two was put in.
  struct Rival {
    std::uint64_t line;
    std::string hash;
  };
  std::optional<Rival> rival;
  LogAgreement agreement;
};

bool is_printable_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

class Verifier {
 public:
  Verifier(const VerifyOptions& options, std::map<std::string, Head> heads)
      : options_(options), heads_(std::move(heads)) {
    report_.pinned = options.key.has_value();
  }

  Result<void> take(const Line& line);
  VerifyReport finish();

 private:
  Result<void> judge(const Line& line, const std::optional<LogLine>& parts,
                     const Result<Json>& json, const std::optional<LogMembers>& members);
  void tell(const Line& line, const Json* json, const LogMembers* members);
  std::optional<std::uint64_t> expected_seq(const std::string& session) const;
  void take_damaged(const Line& line, bool whole);
  void take_whole(const Line& line, const LogLine& parts, const Json& json,
                  const LogMembers& members);
  void start(Session& session, const Line& line, const Json& json, const LogMembers& members);
  void look_back(const Session& session, const Line& line, const LogMembers& members);
  bool follows(Session& session, const Line& line, const LogLine& parts, const LogMembers& members);
  bool receipt_holds(Session& session, const Line& line, const Json& json,
                     const LogMembers& members);

  void fault(FaultKind kind, const Line& line, std::string session,
             std::optional<std::uint64_t> seq, std::string detail);
  void fault(Fault fault);
  bool break_session(Session& session, FaultKind kind, const Line& line, const LogMembers& members,
                     std::string detail);
  void close_session(const std::string& name, const Session& session);
  void find_missing_sessions();

  const VerifyOptions& options_;
  std::map<std::string, Head> heads_;
  std::unordered_map<std::string, Session> sessions_;
  ReceiptIds receipt_ids_;
  std::optional<Line> last_torn_;
  JudgedLine here_;
  VerifyReport report_;
};

void Verifier::fault(Fault found) {
  if (found.line == here_.number) {
    here_.state = LineState::kFaulty;
    here_.fault = found;
  }
  if (!report_.first_fault || found.line < report_.first_fault->line) {
    report_.first_fault = std::move(found);
  }
}

void Verifier::fault(FaultKind kind, const Line& line, std::string session,
                     std::optional<std::uint64_t> seq, std::string detail) {
  fault({kind, line.number, line.byte, std::move(session), seq, std::move(detail)});
}

bool Verifier::break_session(Session& session, FaultKind kind, const Line& line,
                             const LogMembers& members, std::string detail) {
  session.broken = true;
  fault(kind, line, members.session, members.seq, std::move(detail));
  return false;
}

Result<void> Verifier::take(const Line& line) {
  ++report_.lines;
  here_ = {};
  here_.number = line.number;
  if (line.too_long) {
    const std::string name = session_in(line.text);
    if (const auto found = sessions_.find(name); found != sessions_.end()) {
      found->second.broken = true;
    }
    fault(FaultKind::kNoLogLine, line, name, std::nullopt, "longer than a line of the log may be");
    tell(line, nullptr, nullptr);
    return {};
  }
  const auto parts = split_line(line.text);
  const auto json = parse_json(line.text);
  const auto members = json ? members_of(*json) : std::nullopt;
  if (auto judged = judge(line, parts, json, members); !judged) return judged;
  if (members) {
    tell(line, &*json, &*members);
  } else {
    tell(line, nullptr, nullptr);
  }
  return {};
}

Result<void> Verifier::judge(const Line& line, const std::optional<LogLine>& parts,
                             const Result<Json>& json, const std::optional<LogMembers>& members) {
  if (!line.ended || !parts || !members) {
    take_damaged(line, json.has_value());
    return {};
  }
  if (!sessions_.contains(members->session) && sessions_.size() >= kMaxSessions) {
    return fail(ErrorCode::kLimit, "a log of more than a million sessions");
  }
  take_whole(line, *parts, *json, *members);
  return {};
}

void Verifier::tell(const Line& line, const Json* json, const LogMembers* members) {
  if (!options_.judged) return;
  here_.byte = line.byte;
  here_.text = line.text;
  here_.json = json;
  here_.session = members != nullptr ? members->session : session_in(line.text);
  const auto found = sessions_.find(here_.session);
  const Session* session = found == sessions_.end() ? nullptr : &found->second;
  if (here_.state == LineState::kHolds &&
      (json == nullptr || session == nullptr || session->broken)) {
    here_.state = LineState::kUnproven;
  }
  // A broken chain says nothing about a receipt: that is a statement of its own.
  if (members != nullptr && members->event == "decision" && !here_.receipt) {
    const bool known = session != nullptr && session->key;
    const PublicKey* key = known ? &*session->key : options_.key ? &*options_.key : nullptr;
    const std::string key_id = known ? session->key_id : key != nullptr ? key->key_id() : "";
    here_.receipt = check_receipt(*json, key, key_id, options_.secret).check;
  }
  options_.judged(here_);
}

// What stands where a line can't be read any more, if all before it holds.
std::optional<std::uint64_t> Verifier::expected_seq(const std::string& session) const {
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || found->second.broken) return std::nullopt;
  return found->second.next_seq;
}

void Verifier::take_damaged(const Line& line, bool whole) {
  const std::string name = session_in(line.text);
  if (!begins_as_log_line(line.text)) {
    if (last_torn_ && last_torn_->number + 1 == line.number) {
      // What a torn line lacks does not come later: it was broken in two.
      const std::string torn = session_in(last_torn_->text);
      fault(FaultKind::kChangedLine, *last_torn_, torn, expected_seq(torn), "it is broken in two");
      return;
    }
    fault(FaultKind::kNoLogLine, line, "", std::nullopt, "this is no line of a decision log");
    return;
  }
  const auto found = sessions_.find(name);
  const bool known = found != sessions_.end();
  // Complete JSON that is not a line of ours, though it ends in LF, was not torn.
  const bool torn = is_printable_ascii(line.text) && !(whole && line.ended) &&
                    !split_line(line.text).has_value() && !(known && found->second.ended);
  const bool lacks_only_lf = !line.ended && split_line(line.text).has_value();
  if (!torn && !lacks_only_lf) {
    const auto seq = expected_seq(name);
    if (known) found->second.broken = true;
    fault(FaultKind::kChangedLine, line, name, seq, "its bytes are not those that were written");
    return;
  }
  last_torn_ = line;
  here_.state = LineState::kTorn;
  ++report_.torn_lines;
  if (report_.torn.size() < kMaxListed) report_.torn.push_back(line.number);
  if (name.empty() || (!known && sessions_.size() >= kMaxSessions)) return;
  Session& session = sessions_[name];
  if (session.torn_line) return;
  session.torn_line = line.number;
  session.torn_byte = line.byte;
  if (!known) session.last_line = line.number;
}

void Verifier::take_whole(const Line& line, const LogLine& parts, const Json& json,
                          const LogMembers& members) {
  const auto [place, is_new] = sessions_.try_emplace(members.session);
  Session& session = place->second;
  if (sha256_hex(members.prev, parts.body) != parts.hash) {
    break_session(session, FaultKind::kChangedLine, line, members,
                  "its hash is not the one of its bytes");
    return;
  }
  if (!is_in_own_form(json, line.text)) {
    break_session(session, FaultKind::kChangedLine, line, members,
                  "it is not spelled as the log writes its lines");
    return;
  }
  if (session.broken) {
    look_back(session, line, members);
    return;
  }
  if (is_new) start(session, line, json, members);
  if (session.broken || !follows(session, line, parts, members)) return;
  const bool is_end = members.event == "session_end";
  if (is_end || members.event == "checkpoint") {
    if (const auto why = why_not_signed(parts, json, members.prev, *session.key)) {
      break_session(session, FaultKind::kBadSignature, line, members, *why);
      return;
    }
    ++report_.checkpoints;
    session.vouched = true;
    session.vouched_seq = members.seq;
    session.ended = is_end;
  } else if (members.event == "decision") {
    if (!receipt_holds(session, line, json, members)) return;
  } else if (members.event == "provenance") {
    if (const auto why = session.agreement.provenance(json)) {
      break_session(session, FaultKind::kContradiction, line, members, *why);
      return;
    }
  }
  const auto head = heads_.find(members.session);
  if (head != heads_.end() && head->second.seq == members.seq && head->second.hash != parts.hash) {
    break_session(session, FaultKind::kBrokenLink, line, members,
                  "the heads file remembers another hash for it");
    return;
  }
  session.next_seq = members.seq + 1;
  session.last_hash = parts.hash;
  session.last_ts = members.ts;
  session.last_line = line.number;
  session.last_byte = line.byte;
}

// A session that is broken already: does this line tell more about its first fault?
void Verifier::look_back(const Session& session, const Line& line, const LogMembers& members) {
  if (!report_.first_fault || report_.first_fault->session != members.session) return;
  Fault& first = *report_.first_fault;
  if (first.kind == FaultKind::kRemovedLine && session.awaited == members.seq) {
    first.kind = FaultKind::kSwappedLines;
    first.detail = "line " + std::to_string(line.number) + ", which belongs before it, follows";
  }
  if (first.kind == FaultKind::kInsertedLine && session.rival &&
      session.rival->line == first.line && members.prev == session.rival->hash) {
    first.line = session.last_line;
    first.byte = session.last_byte;
    first.detail = "line " + std::to_string(session.rival->line) +
                   " has the same place in the session, which goes on from that one";
  }
}

void Verifier::start(Session& session, const Line& line, const Json& json,
                     const LogMembers& members) {
  if (members.event != "session_start") {
    break_session(session, FaultKind::kRemovedLine, line, members,
                  "the beginning of its session is missing");
    return;
  }
  auto key = PublicKey::from_hex(string_member(json, "public_key"));
  if (!key) {
    break_session(session, FaultKind::kForeignKey, line, members, "it names no public key");
    return;
  }
  if (options_.key && !(*options_.key == *key)) {
    break_session(session, FaultKind::kForeignKey, line, members,
                  "its session was signed with the key " + key->hex());
    return;
  }
  session.key = std::move(*key);
  session.key_id = string_member(json, "signing_key_id");
  if (const auto why = session.agreement.start(json, *session.key)) {
    break_session(session, FaultKind::kContradiction, line, members, *why);
  }
}

bool Verifier::follows(Session& session, const Line& line, const LogLine& parts,
                       const LogMembers& members) {
  if (session.torn_line) {
    session.broken = true;
    fault({FaultKind::kChangedLine, *session.torn_line, session.torn_byte, members.session,
           session.next_seq, "it is cut short, and its session goes on"});
    return false;
  }
  if (session.ended) {
    return break_session(session, FaultKind::kAfterEnd, line, members,
                         "its session has ended before it");
  }
  if (members.seq > session.next_seq) {
    session.awaited = session.next_seq;
    return break_session(session, FaultKind::kRemovedLine, line, members,
                         "seq " + std::to_string(session.next_seq) + " should stand here");
  }
  if (members.seq + 1 == session.next_seq && parts.hash != session.last_hash) {
    session.rival = Session::Rival{line.number, std::string(parts.hash)};
    return break_session(
        session, FaultKind::kInsertedLine, line, members,
        "line " + std::to_string(session.last_line) + " has the same place in the session");
  }
  if (members.seq < session.next_seq) {
    return break_session(session, FaultKind::kRepeatedLine, line, members,
                         "seq " + std::to_string(session.next_seq) + " should stand here");
  }
  if (members.prev != session.last_hash) {
    return break_session(session, FaultKind::kBrokenLink, line, members,
                         "its prev is not the hash of the line before it in its session, line " +
                             std::to_string(session.last_line));
  }
  if (members.ts < session.last_ts) {
    return break_session(session, FaultKind::kTimeBackwards, line, members,
                         "its time is before that of line " + std::to_string(session.last_line));
  }
  return true;
}

bool Verifier::receipt_holds(Session& session, const Line& line, const Json& json,
                             const LogMembers& members) {
  const CheckedReceipt checked =
      check_receipt(json, &*session.key, session.key_id, options_.secret);
  here_.receipt = checked.check;
  if (checked.check.state == ReceiptCheck::State::kBad) {
    return break_session(session, FaultKind::kBadReceipt, line, members, checked.check.why);
  }
  if (!receipt_ids_.add(checked.receipt->receipt_id, line.number)) {
    here_.receipt = ReceiptCheck{ReceiptCheck::State::kBad, "a malformed receipt id"};
    return break_session(session, FaultKind::kBadReceipt, line, members, here_.receipt->why);
  }
  if (checked.check.state == ReceiptCheck::State::kUnchecked) ++report_.unchecked_receipts;
  ++report_.receipts;
  ++(checked.receipt->decision == "allow" ? report_.allowed : report_.denied);
  if (const auto why = session.agreement.decision(json, *checked.receipt)) {
    return break_session(session, FaultKind::kContradiction, line, members, *why);
  }
  return true;
}

void Verifier::close_session(const std::string& name, const Session& session) {
  if (session.broken) return;
  const auto head = heads_.find(name);
  if (head != heads_.end() && head->second.seq >= session.next_seq) {
    const auto last = session.next_seq > 0 ? std::optional(session.next_seq - 1) : std::nullopt;
    fault({FaultKind::kCutTail, session.last_line, session.last_byte, name, last,
           "by the heads file its session went on to seq " + std::to_string(head->second.seq)});
    return;
  }
  if (session.ended) return;
  ++report_.unfinished_sessions;
  if (report_.unfinished.size() >= kMaxListed) return;
  report_.unfinished.push_back(
      {name, session.last_line, session.vouched_seq, session.vouched, session.torn_line});
}

void Verifier::find_missing_sessions() {
  if (options_.log.empty() || report_.first_fault) return;
  const std::string place = log_place(options_.log);
  for (const auto& [name, head] : heads_) {
    if (head.log != place || sessions_.contains(name)) continue;
    fault({FaultKind::kMissingSession, 0, std::nullopt, name, std::nullopt,
           "by the heads file this session was written to this log"});
    return;
  }
}

VerifyReport Verifier::finish() {
  report_.sessions = sessions_.size();
  for (const auto& [name, session] : sessions_) close_session(name, session);
  std::ranges::sort(report_.unfinished, {}, &VerifyReport::Unfinished::last_line);
  if (const auto line = receipt_ids_.first_reuse()) {
    fault({FaultKind::kReusedReceipt, *line, std::nullopt, "", std::nullopt,
           "its receipt's id stands on an earlier line too"});
  }
  find_missing_sessions();
  if (report_.first_fault) {
    report_.verdict = LogVerdict::kBroken;
  } else if (!report_.pinned || report_.unchecked_receipts > 0) {
    report_.verdict = LogVerdict::kUnpinned;
  } else if (report_.unfinished_sessions > 0 || report_.torn_lines > 0 || report_.sessions == 0) {
    report_.verdict = LogVerdict::kUnfinished;
  }
  return std::move(report_);
}

// The ids of receipts are kept without their sessions, which would take more memory:
// where the fault is, is read once more.
void complete_place(std::istream& log, std::istream::pos_type begin, Fault& fault) {
  log.clear();
  if (!log.seekg(begin)) return;
  LineReader reader(log, kMaxLogLine);
  Line line;
  while (line.number < fault.line && reader.next(line)) {
  }
  const auto json = parse_json(line.text);
  const auto members = json ? members_of(*json) : std::nullopt;
  if (line.number != fault.line || !members) return;
  fault.byte = line.byte;
  fault.session = members->session;
  fault.seq = members->seq;
}

}  // namespace

Result<VerifyReport> verify_log(std::istream& log, const VerifyOptions& options) {
  std::map<std::string, Head> heads;
  if (!options.heads.empty()) {
    auto loaded = load_heads(options.heads);
    if (!loaded) return tl::unexpected(loaded.error());
    heads = std::move(*loaded);
  }
  const auto begin = log.tellg();
  Verifier verifier(options, std::move(heads));
  LineReader reader(log, kMaxLogLine);
  Line line;
  while (reader.next(line)) {
    if (auto taken = verifier.take(line); !taken) return tl::unexpected(taken.error());
  }
  if (log.bad()) return fail(ErrorCode::kIo, "the log cannot be read to its end");
  VerifyReport report = verifier.finish();
  if (report.first_fault && report.first_fault->kind == FaultKind::kReusedReceipt) {
    complete_place(log, begin, *report.first_fault);
  }
  return report;
}

}  // namespace agentlock
