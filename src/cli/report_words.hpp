#pragma once

#include <string_view>

#include "agentlock/verify.hpp"
#include "cli/report_model.hpp"

namespace agentlock::cli::report {

// What codes of the log mean to somebody who has never seen one. Codes that are not
// known give an empty text, and the page then shows the code alone.

/// "Verified", "Broken", ...
std::string_view verdict_title(LogVerdict verdict);
/// One sentence on what may be relied on.
std::string_view verdict_words(LogVerdict verdict);
/// What was found at a fault.
std::string_view fault_words(FaultKind kind);
/// "USER", ..., as the picture labels them.
std::string_view lane_name(Lane lane);
/// "the operator's own words", ...
std::string_view lane_words(Lane lane);
/// Why what came that way is allowed.
std::string_view grant_words(Lane lane);
std::string_view outcome_words(Outcome outcome);
/// browser.navigate: "Open an address".
std::string_view action_words(std::string_view action);
/// Who decided.
std::string_view rule_words(std::string_view decided_by);
/// What became of asking the operator.
std::string_view confirmation_words(std::string_view confirmation);
/// Why it passes without a channel's word.
std::string_view cause_words(std::string_view cause);

}  // namespace agentlock::cli::report
