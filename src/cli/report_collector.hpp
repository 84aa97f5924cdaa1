#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "agentlock/verify.hpp"
#include "cli/report_model.hpp"
#include "cli/report_sessions.hpp"

namespace agentlock::cli::report {

/// Makes the model of a page out of the lines of a log, as verification hands them on.
/// Its memory is bounded by the window and not by the log.
class Collector {
 public:
  explicit Collector(Window window);

  void take(const JudgedLine& line);
  /// After the last line.
  Model finish(VerifyReport report);

 private:
  struct Kept;
  void count(const JudgedLine& line, Session& session, const std::optional<Moment>& moment);
  void note_between(const JudgedLine& line, Session& session, const Place& place);
  void take_start(const JudgedLine& line, Session& session);
  void take_unreadable(const JudgedLine& line, const Place& place);
  std::optional<Entry> entry_of(const JudgedLine& line, const Place& place);
  void keep(Entry entry, Session& session);
  bool is_shown(const Place& place) const;

  Model model_;
  SessionBook book_;
};

}  // namespace agentlock::cli::report
