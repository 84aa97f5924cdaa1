#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agentlock/verify.hpp"
#include "cli/report_text.hpp"
#include "cli/report_times.hpp"

namespace agentlock::cli::report {

// What a page tells of a log, in memory that its bounds set and not the log's size.

/// A member of an event: `a.b[0]` and what it holds, in words of JSON.
struct Member {
  Excerpt path;
  Excerpt value;
};

struct Members {
  std::vector<Member> list;
  std::uint64_t left_out = 0;
};

/// Where something stands in the log.
struct Place {
  std::uint64_t line = 0;
  std::optional<std::uint64_t> seq;
  std::optional<Moment> moment;
};

/// The line of the provenance that a decision cites.
struct Source {
  Place place;
  Excerpt channel;
  Excerpt way;  ///< a tool, operator_text, ...
  Excerpt origin;
  std::uint64_t bytes = 0;
  Excerpt content_hash;
  /// Where the log holds page text: what matched, with what stands around it.
  struct Quote {
    Excerpt before;
    Excerpt match;
    Excerpt after;
  };
  std::map<std::string, Quote> quotes;  ///< by the token that matched
};

struct ReceiptView {
  ReceiptCheck check;
  Excerpt id;
  Excerpt signature;
  Excerpt key_id;
  /// Members in which the line and its receipt say different things. Ours.
  std::vector<std::string> differs;
};

struct Decision {
  Outcome outcome = Outcome::kOther;
  Excerpt said;  ///< allow, deny, or what else stands there
  Excerpt action;
  Members parameters;
  Excerpt href;
  Excerpt origin;
  Excerpt channel;
  Excerpt decided_by;
  Excerpt reason;
  Excerpt detail;
  Excerpt cause;
  Excerpt confirmation;
  Excerpt audit_id;
  bool fail_open = false;
  bool server_rule = false;  ///< decided by one of the server's own rules
  Lane lane = Lane::kOther;
  Excerpt element;
  Excerpt matched_kind;
  Excerpt matched_token;
  std::string provenance_id;  ///< empty if none is cited
  Members evidence;           ///< what has no place of its own
  Members basis;              ///< grant_basis
  Members further;            ///< members that this version does not know
  ReceiptView receipt;
};

/// A question to the operator, or the answer.
struct Question {
  bool answer = false;
  Excerpt message;
  Excerpt choice;  ///< accept, decline, cancel; and which way of yes
  Members members;
};

/// Words of the operator, as they were recorded.
struct OperatorWords {
  Excerpt channel;
  Excerpt way;
  Excerpt content;
  std::uint64_t bytes = 0;
};

/// A start of Chromium.
struct BrowserStart {
  Excerpt version;
  bool sandboxed = true;
  bool restarted = false;
};

/// What happened between two entries and needs no place of its own.
struct Between {
  struct Read {
    Excerpt channel;
    Excerpt origin;
    std::set<std::string> ways;  ///< a few
    std::uint64_t texts = 0;
    std::uint64_t bytes = 0;
  };
  struct Other {
    Excerpt event;
    std::uint64_t count = 0;
    Place first;
    Members members;  ///< of the first
  };
  std::vector<Read> reads;
  std::vector<Other> others;
  std::uint64_t more = 0;  ///< lines of kinds beyond those
  bool empty() const { return reads.empty() && others.empty() && more == 0; }
};

/// One thing that a session's timeline shows. Exactly one of the optional parts is
/// there, or none: then it is a line that does not hold, and `raw` has its beginning.
struct Entry {
  std::string session;
  Place place;
  LineState state = LineState::kHolds;
  std::optional<Fault> fault;
  Between before;
  std::optional<Decision> decision;
  std::optional<Question> question;
  std::optional<OperatorWords> words;
  std::optional<BrowserStart> browser;
  Excerpt event;
  Excerpt raw;
};

struct Session {
  std::string name;
  std::uint64_t first_line = 0;
  std::uint64_t last_line = 0;
  std::optional<Moment> first;
  std::optional<Moment> last;
  bool start_seen = false;
  bool ended = false;
  bool broken = false;
  Excerpt end_why;
  Excerpt version;
  Excerpt key_id;
  Members config;
  std::vector<Excerpt> allowlist;
  std::uint64_t more_allowlist = 0;
  Outcomes decisions{};
  std::uint64_t asked = 0;
  std::uint64_t fail_open = 0;
  std::optional<std::uint64_t> vouched_seq;  ///< lines up to it stand under a signature
  double clock_back = 0;                     ///< seconds, in all
  std::uint64_t kept = 0;                    ///< entries on the page
  std::vector<const Entry*> entries;         ///< those, once all are there
  std::uint64_t left_out = 0;                ///< entries that are not
  Between pending;                           ///< behind the last entry
};

/// A line that can't be read as one of any session.
struct Unreadable {
  Place place;
  std::uint64_t byte = 0;
  LineState state = LineState::kFaulty;
  Excerpt raw;
};

/// Which entries a page shows: the last ones, or the first ones from a line on.
struct Window {
  std::uint64_t from = 0;  ///< 0: the last ones
  std::uint64_t most = 1'000;
};

struct Model {
  VerifyReport verified;
  Window window;
  Outcomes decisions{};
  std::array<Outcomes, kLanes> by_lane{};
  std::uint64_t asked = 0;
  std::uint64_t fail_open = 0;
  std::optional<Moment> first;
  std::optional<Moment> last;
  OverTime over_time;
  std::vector<Excerpt> chromiums;
  std::uint64_t more_chromiums = 0;

  std::deque<Entry> entries;          ///< in the log's order
  std::vector<Session> sessions;      ///< that the page shows, in the log's order
  std::uint64_t idle_sessions = 0;    ///< sessions that it does not
  std::uint64_t left_out_before = 0;  ///< entries before the first shown
  std::uint64_t left_out_after = 0;
  std::uint64_t last_left_out_line = 0;  ///< of those before
  std::uint64_t next_line = 0;           ///< the first of those after
  std::vector<Unreadable> unreadable;
  std::uint64_t more_unreadable = 0;
  Excerpt fault_line;  ///< the line of the first fault, where it could be kept

  /// By session and provenance id; null while it is not found.
  std::map<std::pair<std::string, std::string>, std::optional<Source>> sources;
};

}  // namespace agentlock::cli::report
