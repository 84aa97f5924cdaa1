#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/result.hpp"
#include "agentlock/signing_key.hpp"

namespace agentlock {

/// What is wrong at the first place where a log does not hold.
enum class FaultKind {
  kChangedLine,     ///< its bytes are not those that were written
  kRemovedLine,     ///< one or more lines before it are missing
  kSwappedLines,    ///< it stands before a line that was written earlier
  kRepeatedLine,    ///< its place in the session was taken already
  kInsertedLine,    ///< another line has its place in the session, and a right to it
  kBrokenLink,      ///< it does not follow from the line before it in its session
  kBadSignature,    ///< a checkpoint or session_end that the key did not sign
  kForeignKey,      ///< its session was signed with another key than the one asked for
  kBadReceipt,      ///< a decision without a receipt, or one that the key did not sign
  kReusedReceipt,   ///< its receipt id was used before
  kContradiction,   ///< it says otherwise than its receipt, or than the lines before it
  kAfterEnd,        ///< it stands behind its session's session_end
  kTimeBackwards,   ///< its time is before that of the line before it
  kNoLogLine,       ///< no line of a decision log at all
  kCutTail,         ///< its session went on, by the heads file, and the log does not
  kMissingSession,  ///< a session of this log, by the heads file, that is not in it
};

/// "changed_line", ...
std::string_view to_string(FaultKind kind);

struct Fault {
  FaultKind kind;
  std::uint64_t line = 0;             ///< from 1; 0 for the log as a whole
  std::optional<std::uint64_t> byte;  ///< where the line begins, where it is known
  std::string session;                ///< empty where it can't be told
  std::optional<std::uint64_t> seq;
  std::string detail;
};

/// From best to worst; of several that apply the worst is given.
enum class LogVerdict {
  kVerified,    ///< all holds
  kUnfinished,  ///< a session without its session_end, a torn line, or no session at all
  kUnpinned,    ///< it holds, but only the log itself vouches for a key
  kBroken,      ///< see first_fault
};

/// "verified", ...
std::string_view to_string(LogVerdict verdict);

/// What a line is worth, by all that stands before it in the log.
enum class LineState {
  kHolds,     ///< it follows in its session's chain
  kFaulty,    ///< see its fault
  kTorn,      ///< cut short, and nothing of its session has followed yet
  kUnproven,  ///< it may be read, but its session's chain was broken before it
};

/// What a decision's receipt is worth, whatever its line's chain is.
struct ReceiptCheck {
  enum class State {
    kVerifies,
    kUnchecked,  ///< HMAC-SHA256 without the secret, or a session that names no key
    kBad,
  };
  State state = State::kBad;
  std::string why;  ///< unless it verifies
};

/// One line, as it is judged when it is read. A fault that only a later line brings
/// to light (a swapped line, a reused receipt, a cut tail) is in VerifyReport alone.
struct JudgedLine {
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t byte = 0;    ///< where it begins
  std::string_view text;     ///< without LF; its first 16 MiB if it is longer
  std::string session;       ///< empty where it can't be told
  /// The line's object; null if it has not the members that every line has.
  const nlohmann::ordered_json* json = nullptr;
  LineState state = LineState::kHolds;
  std::optional<Fault> fault;           ///< if and only if kFaulty
  std::optional<ReceiptCheck> receipt;  ///< of a decision
};

struct VerifyOptions {
  /// The key that all sessions must be signed with; without it the log is unpinned.
  std::optional<PublicKey> key;
  /// Needed for HMAC-SHA256 receipts; those can't be checked without it.
  const SigningKey* secret = nullptr;
  /// The heads file and the path of the log, where they are known.
  std::filesystem::path heads;
  std::filesystem::path log;
  /// Is given each line, in their order; what it is given lives for the call.
  std::function<void(const JudgedLine&)> judged;
};

struct VerifyReport {
  struct Unfinished {
    std::string session;
    std::uint64_t last_line;                 ///< of the session, in the file
    std::uint64_t vouched_seq;               ///< lines up to this one stand under a signature
    bool vouched;                            ///< false if none does
    std::optional<std::uint64_t> torn_line;  ///< where it was cut short
  };

  LogVerdict verdict = LogVerdict::kVerified;
  std::optional<Fault> first_fault;
  bool pinned = false;
  std::uint64_t lines = 0;
  std::uint64_t sessions = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  std::uint64_t receipts = 0;
  std::uint64_t unchecked_receipts = 0;  ///< HMAC-SHA256, without the secret
  std::uint64_t unfinished_sessions = 0;
  std::vector<Unfinished> unfinished;  ///< the first 100 of them
  std::uint64_t torn_lines = 0;
  std::vector<std::uint64_t> torn;  ///< line numbers of the first 100 of them
};

/// Checks a decision log from its beginning to its end: chain, sequence, signatures,
/// receipts, what is said twice and, where there is one, the heads file. One pass, in
/// memory that does not grow with the log but for 16 bytes a receipt and a record for
/// each session. Errors: kIo and kProtocol if log or heads file can't be read, kLimit for
/// over a million sessions. Source: gate.md, section 9; docs/decision-log.md.
Result<VerifyReport> verify_log(std::istream& log, const VerifyOptions& options);

/// The report as JSON: docs/decision-log.md.
nlohmann::ordered_json to_json(const VerifyReport& report);

}  // namespace agentlock
