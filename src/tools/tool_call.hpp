#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "agentlock/draft.hpp"
#include "base/task.hpp"
#include "browser/tab.hpp"
#include "tools/toolbox.hpp"
#include "tools/turn.hpp"

namespace agentlock::tools {

/// One call's use of the tab: it has the turn, the browser runs, and what is refused
/// meanwhile belongs to it. However the call ends, the turn goes to the next.
class ToolCall {
 public:
  /// Waits for the turn and starts the browser if need be. An error is one for the
  /// client to read as it is (isError).
  static Task<Result<std::unique_ptr<ToolCall>>> begin(Toolbox& box,
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
  const std::vector<Decided>& blocked();

  /// Adds `ok`, which is true if nothing failed and nothing was refused, then where
  /// the tab is now and what happened besides: origin, url, title, blocked, dialogs,
  /// error. The members that have nothing to say are left out.
  Task<void> report(Draft& result, std::optional<Error> error);
  /// The same for a call that the gate refused: its gate block says why.
  Task<void> report_refused(Draft& result);

 private:
  ToolCall(Toolbox& box, Turns::Turn turn, Deadline deadline)
      : box_(box), turn_(std::move(turn)), deadline_(deadline) {}

  Task<void> report_as(Draft& result, bool done);

  Toolbox& box_;
  Turns::Turn turn_;
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
