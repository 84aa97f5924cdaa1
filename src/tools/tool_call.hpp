#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "agentlock/draft.hpp"
#include "base/task.hpp"
#include "browser/tab.hpp"
#include "tools/tool.hpp"
#include "tools/toolbox.hpp"
#include "tools/turn.hpp"

namespace agentlock::tools {

/// One call's use of the tab: it has the turn, the browser runs, and what is refused
/// meanwhile belongs to it. However the call ends, the turn goes to the next.
class ToolCall {
 public:
  /// Waits for the turn and starts the browser if need be. An error is one for the
  /// client to read as it is (isError).
  static Task<Result<std::unique_ptr<ToolCall>>> begin(Toolbox& box, const CallContext& context,
                                                       std::chrono::milliseconds timeout);
  ~ToolCall();
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  Toolbox& box() { return box_; }
  browser::Tab& tab() { return *tab_; }
  /// Of the call as a whole.
  Deadline deadline() const { return deadline_; }

  /// Text of the document that the tab shows.
  PageText page_text(std::string text) const { return {std::move(text), tab_->origin()}; }

  /// What was refused so far.
  std::vector<Decided>& blocked();

  /// Null if nobody can be asked.
  Asker* asker() const { return asker_; }
  const std::string& client() const { return client_; }
  /// Puts a question to the person. The turn is given up meanwhile, and the call's time
  /// begins anew: nothing of the page is as it was for sure afterwards.
  Task<AskReply> ask(Question question);

  /// The document in the tab, to be compared.
  struct Page {
    cdp::TargetId tab;
    std::uint64_t load;
    bool operator==(const Page&) const = default;
  };
  /// False if the tab was lost while the person was asked: all that is left is to report.
  bool has_tab() const { return tab_ != nullptr; }
  Page page() const { return {tab_->target(), tab_->frames().page_load()}; }

  /// Adds `ok`, which is true if nothing failed and nothing was refused, then where
  /// the tab is now and what happened besides: origin, url, title, blocked, dialogs,
  /// error. The members that have nothing to say are left out.
  Task<void> report(Draft& result, std::optional<Error> error);
  /// The same for a call that the gate refused: its gate block says why.
  Task<void> report_refused(Draft& result);

 private:
  ToolCall(Toolbox& box, const CallContext& context, Turns::Turn turn,
           std::chrono::milliseconds timeout);
  /// Once it has the turn: a browser, and the tab in it.
  Task<Result<void>> take_tab();

  Task<void> report_as(Draft& result, bool done);

  Toolbox& box_;
  Asker* asker_;
  std::string client_;
  std::optional<Turns::Turn> turn_;
  std::chrono::milliseconds timeout_;
  Deadline deadline_;
  browser::Tab* tab_ = nullptr;
  bool ended_ = false;
  std::vector<Decided> blocked_;
};

/// Adds the origin and the URL of the document in the tab.
void add_place(Draft& result, const browser::Tab& tab);

Draft error_block(const Error& error);
Json error_schema();
/// The members that report() adds, for a tool's output schema.
Json with_report_schema(Json schema);

}  // namespace agentlock::tools
