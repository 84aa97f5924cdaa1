#include "tools/confirmations.hpp"

// A yes is worth something only if the person saw what it is for. So the message has
// a line for each thing that counts, ours in front and what comes from outside last
// and in quotes, with all escaped that could look like a line of ours. Who answers
// for the person (a client, a script) is logged, with the time that it took.

#include <algorithm>
#include <chrono>

#include <nlohmann/json.hpp>

#include "agentlock/character_classes.hpp"
#include "tools/public_suffix.hpp"
#include "tools/shown_text.hpp"
#include "tools/tool_call.hpp"

namespace agentlock::tools {
namespace {

constexpr char kAllowOnce[] = "allow_once";
constexpr char kTrustOrigin[] = "trust_origin_session";

// Bounds of what a page can make us remember.
constexpr std::size_t kMaxDeclined = 10'000;
constexpr std::size_t kMaxOrigins = 1'000;

std::string host_line(const Url& target) {
  const std::string domain = registrable_domain(target.host());
  return "host:   " + target.host() + (domain.empty() ? "" : " (" + domain + ")");
}

// An accept without an exact choice of ours is no yes (attacks.md A21).
Asked read_answer(const AskReply& reply, const Question& question) {
  if (!reply.result) return Asked::kCancelled;
  const std::string action = string_member(*reply.result, "action");
  if (action == "decline") return Asked::kDeclined;
  const Json* content = member(*reply.result, "content");
  if (action != "accept" || content == nullptr) return Asked::kCancelled;
  const std::string choice = string_member(*content, "choice");
  const bool offered = std::ranges::any_of(
      question.choices, [&](const Choice& option) { return option.value == choice; });
  if (!offered) return Asked::kCancelled;
  return choice == kTrustOrigin ? Asked::kTrustOrigin : Asked::kAllowOnce;
}

}  // namespace

std::string_view to_string(Asked asked) {
  switch (asked) {
    case Asked::kAllowOnce:
    case Asked::kTrustOrigin:
      return "accepted";
    case Asked::kDeclined:
      return "declined";
    case Asked::kCancelled:
      return "cancelled";
    case Asked::kUnavailable:
      return "unavailable";
    case Asked::kCapReached:
      return "cap_reached";
  }
  return "cancelled";
}

Question question_about(const Matter& matter) {
  Question question;
  question.message = matter.title + "\norigin: " + shown(matter.source);
  if (matter.target) question.message += '\n' + host_line(*matter.target);
  question.message += "\nvalue:  \"" + shown(shortened(matter.value)) + '"';
  question.description = matter.receiver;
  question.choices.push_back({kAllowOnce, "Allow this once"});
  // Whoever shares the host would be trusted too (attacks.md A16).
  if (matter.target && matter.action != "browser.type" && !is_shared_host(matter.target->host())) {
    question.choices.push_back({kTrustOrigin, "Trust " + matter.target->origin().serialize() +
                                                  " for the rest of this session"});
  }
  return question;
}

Task<Asked> Confirmations::ask(ToolCall& call, const Matter& matter) {
  forget_noes_of_before(call.box().operator_prompts());
  if (declined_.contains(matter.key)) co_return Asked::kDeclined;
  if (call.asker() == nullptr || count_code_points(matter.value) > kMaxAsked) {
    co_return Asked::kUnavailable;
  }
  const auto noes = noes_.find(matter.asking_origin);
  if (cap_ == 0 || (noes != noes_.end() && noes->second >= cap_)) co_return Asked::kCapReached;
  if (noes == noes_.end() && noes_.size() >= kMaxOrigins) co_return Asked::kCapReached;

  const Question question = question_about(matter);
  const std::string id = "q" + std::to_string(++asked_);
  Json choices = Json::array();
  for (const Choice& choice : question.choices) choices.push_back(choice.value);
  const auto noted =
      call.box().recorder.note("elicit_request", {{"question", id},
                                                  {"action", matter.action},
                                                  {"value", matter.value},
                                                  {"message", question.message},
                                                  {"choices", std::move(choices)},
                                                  {"asking_origin", matter.asking_origin},
                                                  {"client", call.client()}});
  // What can't be written down is not asked: the yes could not be acted on.
  if (!noted) co_return Asked::kUnavailable;

  const auto began = std::chrono::steady_clock::now();
  auto waiting = call.ask(question);
  const AskReply reply = co_await std::move(waiting);
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  const Asked answer = read_answer(reply, question);
  Json fields = {{"question", id},
                 {"confirmation", std::string(to_string(answer))},
                 {"elapsed_ms", elapsed.count()},
                 {"client", call.client()}};
  if (reply.result) fields["result"] = *reply.result;
  if (!reply.failure.empty()) fields["failure"] = reply.failure;
  if (!call.box().recorder.note("elicit_result", fields)) co_return Asked::kCancelled;

  if (answer == Asked::kDeclined && declined_.size() < kMaxDeclined) declined_.insert(matter.key);
  const bool no = answer == Asked::kDeclined || answer == Asked::kCancelled;
  if (no && !reply.timed_out) ++noes_[matter.asking_origin];
  co_return answer;
}

void Confirmations::forget_noes_of_before(std::size_t prompts) {
  if (prompts == prompts_) return;
  prompts_ = prompts;
  declined_.clear();
  noes_.clear();
}

Verdict after_no(Verdict verdict, Asked asked) {
  if (asked == Asked::kUnavailable || asked == Asked::kCapReached) {
    if (asked == Asked::kCapReached && !verdict.allowed()) {
      verdict.detail += " The operator has said no to this page's questions, so no more are asked.";
    }
    return verdict;
  }
  // A no is one in every mode.
  verdict.decision = Decision::kDeny;
  verdict.decided_by = DecidedBy::kConfirm;
  verdict.fail_open = false;
  verdict.basis.reset();
  if (verdict.reason.empty()) verdict.reason = "unclassified";
  verdict.detail = asked == Asked::kDeclined
                       ? "The operator said no to this. Don't try it again in another way: go on "
                         "without it, or say in the conversation what you would need it for."
                       : "The operator closed the question without a yes. Go on without it, or say "
                         "in the conversation what you would need it for, and try again later.";
  return verdict;
}

Verdict changed_while_asked(Verdict verdict) {
  verdict.decision = Decision::kDeny;
  verdict.decided_by = DecidedBy::kConfirm;
  verdict.reason = "changed_while_asked";
  verdict.fail_open = false;
  verdict.basis.reset();
  verdict.detail =
      "The page changed while the operator was asked, so their yes was for something else. Look "
      "at the page again.";
  return verdict;
}

}  // namespace agentlock::tools
