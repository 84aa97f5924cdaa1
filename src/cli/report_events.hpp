#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/json.hpp"
#include "cli/report_model.hpp"

namespace agentlock::cli::report {

// One event of the log each, from its line's object. Nothing that a line holds, or
// lacks, is an error: what can be read is read. Source: docs/decision-log.md.

Place read_place(const Json& line, std::uint64_t number);
Decision read_decision(const Json& line, const std::optional<ReceiptCheck>& check);
Question read_question(const Json& line);
OperatorWords read_words(const Json& line);
BrowserStart read_browser(const Json& line);
/// An event that has no form of its own on the page.
Members read_other(const Json& line);

/// The line of the provenance that decisions cite; `tokens` are what matched.
Source read_source(const Json& line, Place place, const std::set<std::string>& tokens);

}  // namespace agentlock::cli::report
