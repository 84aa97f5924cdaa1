#include "cli/report_words.hpp"

#include <array>
#include <span>
#include <utility>

namespace agentlock::cli::report {
namespace {

using Word = std::pair<std::string_view, std::string_view>;

std::string_view look_up(std::span<const Word> words, std::string_view code) {
  for (const auto& [known, meaning] : words) {
    if (known == code) return meaning;
  }
  return "";
}

}  // namespace

std::string_view verdict_title(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kVerified:
      return "Verified";
    case LogVerdict::kUnfinished:
      return "Unfinished";
    case LogVerdict::kUnpinned:
      return "Not pinned to a key";
    case LogVerdict::kBroken:
      return "Broken";
  }
  return "Broken";
}

std::string_view verdict_words(LogVerdict verdict) {
  switch (verdict) {
    case LogVerdict::kVerified:
      return "Nothing was changed, removed or added: each session is whole from its start to its "
             "end and signed with the key.";
    case LogVerdict::kUnfinished:
      return "What is here holds, but the log has not come to its end: what came after the last "
             "signature can't be vouched for. A server that still runs, or was killed, leaves "
             "this.";
    case LogVerdict::kUnpinned:
      return "The log agrees with itself, but it could not be held against a key or secret from "
             "outside: anyone may have written it. Name the key with --key or the secret with "
             "--secret.";
    case LogVerdict::kBroken:
      return "Something was changed, removed, added or signed with another key. Do not rely on "
             "what this page shows from the first fault on.";
  }
  return "";
}

std::string_view fault_words(FaultKind kind) {
  switch (kind) {
    case FaultKind::kChangedLine:
      return "This line's bytes are not those that were written.";
    case FaultKind::kRemovedLine:
      return "One or more lines of the session are missing before this one.";
    case FaultKind::kSwappedLines:
      return "Lines of the session stand in another order than they were written in.";
    case FaultKind::kRepeatedLine:
      return "This line's place in the session was taken already.";
    case FaultKind::kInsertedLine:
      return "Another line has this one's place in the session, and the right to it: this one was "
             "put in.";
    case FaultKind::kContradiction:
      return "This line says otherwise than its own receipt, or than the lines before it.";
    case FaultKind::kBrokenLink:
      return "This line does not follow from the one before it in its session: one of them was "
             "replaced.";
    case FaultKind::kBadSignature:
      return "The key did not sign what stands here: something since the last signature was "
             "replaced.";
    case FaultKind::kForeignKey:
      return "This session was signed with another key than the one asked for.";
    case FaultKind::kBadReceipt:
      return "This decision has no receipt that the key signed.";
    case FaultKind::kReusedReceipt:
      return "This receipt's id stands on an earlier line too.";
    case FaultKind::kAfterEnd:
      return "This line stands behind the end of its session.";
    case FaultKind::kTimeBackwards:
      return "This line's time is before that of the line before it.";
    case FaultKind::kNoLogLine:
      return "This is no line of a decision log.";
    case FaultKind::kCutTail:
      return "The session went on after this line, and the log does not.";
    case FaultKind::kMissingSession:
      return "A session that was written to this log is not in it.";
  }
  return "";
}

std::string_view lane_name(Lane lane) {
  constexpr std::array<std::string_view, kLanes> kNames = {
      "USER", "USER_CONFIRMED", "ALLOWLIST", "PAGE", "MODEL", "untraced", "other"};
  return kNames[static_cast<std::size_t>(lane)];
}

std::string_view lane_words(Lane lane) {
  constexpr std::array<std::string_view, kLanes> kWords = {
      "the operator's own words",    "the operator's yes",
      "the operator's allowlist",    "a page",
      "nobody but the agent",        "not known, or not looked at",
      "a channel of another version"};
  return kWords[static_cast<std::size_t>(lane)];
}

std::string_view grant_words(Lane lane) {
  switch (lane) {
    case Lane::kUser:
      return "The operator said it.";
    case Lane::kConfirmed:
      return "The operator said yes to it.";
    case Lane::kAllowlist:
      return "Its origin is on the operator's allowlist.";
    default:
      return "";
  }
}

std::string_view outcome_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAllowed:
      return "Allowed";
    case Outcome::kDenied:
      return "Denied";
    case Outcome::kOther:
      return "Neither allowed nor denied";
  }
  return "";
}

std::string_view action_words(std::string_view action) {
  constexpr Word kWords[] = {{"browser.navigate", "Open an address"},
                             {"browser.navigate_link", "Follow a link"},
                             {"browser.type", "Type a value"},
                             {"browser.click", "Click"},
                             {"browser.back", "Go back"}};
  return look_up(kWords, action);
}

std::string_view rule_words(std::string_view decided_by) {
  constexpr Word kWords[] = {
      {"agentlock_gate", "the gate"},
      {"server:url", "the URL rules, before anything else was asked"},
      {"server:link_freshness", "the rule that a link must still be the one that was shown"},
      {"server:credential_field", "the rule that credentials are never typed"},
      {"server:arguments", "the rules for values that can't be typed as they are"},
      {"server:one_tab", "the rule that there is one tab"},
      {"server:confirm", "the operator's answer"},
      {"server:log", "the rule that nothing is done which can't be written down"}};
  return look_up(kWords, decided_by);
}

std::string_view confirmation_words(std::string_view confirmation) {
  constexpr Word kWords[] = {
      {"accepted", "The operator was asked and said yes."},
      {"declined", "The operator was asked and said no."},
      {"cancelled", "The operator was asked and gave no answer."},
      {"unavailable", "The operator could have said yes, but there was no way to ask."},
      {"cap_reached", "The operator was not asked any more, after too many refusals."}};
  return look_up(kWords, confirmation);
}

std::string_view cause_words(std::string_view cause) {
  constexpr Word kWords[] = {{"upgrade", "The same address, from http to https."},
                             {"www", "The same site, with or without www."},
                             {"cleared", "Emptying a field gives nothing away."},
                             {"same_origin", "It stays on the same origin."},
                             {"visited", "An allowed navigation had been there before."},
                             {"post_confirm", "A new attempt, after the operator's yes."}};
  return look_up(kWords, cause);
}

}  // namespace agentlock::cli::report
