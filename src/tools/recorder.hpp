#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agentlock/clock.hpp"
#include "agentlock/context_chain.hpp"
#include "agentlock/decision_log.hpp"
#include "agentlock/draft.hpp"
#include "agentlock/gate.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/operator_prompt.hpp"
#include "agentlock/receipt.hpp"
#include "agentlock/signing_key.hpp"
#include "base/json.hpp"

namespace agentlock::tools {

/// What is to be decided: AgentLock's name of the action, its one parameter as the
/// client or the page gave it, and where it leads.
struct Action {
  std::string name;       ///< browser.navigate, browser.navigate_link, browser.type, ...
  std::string parameter;  ///< url, link_id, value
  std::string value;
  std::string href;  ///< our serialisation of the target, where there is one
};

/// A decision that has been signed and written down; only then may it be acted on.
struct Decided {
  Verdict verdict;
  std::string confirmation;  ///< what came of asking a person; empty if none was to be
  std::string receipt_id;
  std::string audit_id;
  std::optional<PageText> target;  ///< of a page-caused navigation
  std::string href = {};           ///< the same, as we would go there

  bool allowed() const { return verdict.allowed(); }
};

/// The one writer: what is recorded goes into the ledger, the context chain and the
/// log; what is decided gets its receipt and its line before anybody acts on it. If
/// the log can't be written, every gated action is denied (`server:log`) and reading
/// goes on. Source: gate.md, sections 1, 8 and 9.
class Recorder {
 public:
  struct Setup {
    std::unique_ptr<DecisionLog> log;
    const SigningKey* key;  ///< outlives the recorder
    SigningMethod method;
    std::string role;
    std::string policy_hash;
    bool log_page_text;
  };

  Recorder(Setup setup, Ledger& ledger);

  /// At start. Nothing reaches the log before the first call that needs it.
  void record_operator(std::string text);
  void record_allowlist(const Origin& origin);

  /// The operator spoke while the session runs: `way` is how it came in, `said_at` when,
  /// in seconds since 1970; that day is what "today" means in it. Returns how many of its
  /// tokens don't count, since a page supplied them before.
  Result<std::size_t> record_prompt(const OperatorPrompt& prompt, const std::string& way,
                                    double said_at);
  /// The client began another session: what was said in prompts counts no more.
  void forget_prompts();
  /// How many prompts were recorded: who keeps a no of the operator's asks again when
  /// this has grown (attacks.md A48).
  std::size_t operator_prompts() const { return prompts_; }

  /// A result as JSON, its page text recorded first.
  Result<Json> hand_over(const Draft& draft, std::string_view tool);
  /// Page text that is judged before, or without, being handed over.
  Result<void> record_page(const PageText& text, std::string_view source);

  /// A document that an allowed GET opens.
  void record_visited(const Url& url) { ledger_.record_visited(url); }

  /// What the operator said yes to, and an origin that they trust for the session.
  void record_confirmed(Ledger::Yes yes);
  void record_trusted(const Origin& origin);

  /// `confirmation`: what came of asking a person; empty if that was not to be done.
  Decided decide(const Action& action, Verdict verdict, std::string_view confirmation = "");

  /// An event that is no decision; the error says why it could not be written.
  Result<void> note(std::string_view event, const Json& fields);
  /// The same, but it waits for another event if it would be the log's first.
  void remark(std::string_view event, Json fields);

  void checkpoint_if_due();
  void end(std::string_view why);

 private:
  void remember(const Ledger::Recorded& recorded, const Json& more = Json::object());
  void keep(const Ledger::Entry& entry, const Json& more);
  Result<void> flush();
  Result<void> append(std::string_view event, const Json& fields);

  Setup setup_;
  Ledger& ledger_;
  ContextChain chain_;
  struct Event {
    std::string name;
    Json fields;
  };
  std::deque<Event> pending_;  ///< what is not in the log yet, in order
  bool started_ = false;
  std::size_t prompts_ = 0;
};

}  // namespace agentlock::tools
