#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "cli/report_html.hpp"
#include "cli/report_model.hpp"

namespace agentlock::cli::report {

/// What a page tells besides its log.
struct About {
  std::string log;                 ///< its path, as it was given
  std::optional<std::string> key;  ///< hex; what the log was held against
  std::string key_file;
  std::optional<Moment> made;
};

/// The page: one document, no script, nothing from elsewhere.
void write_page(std::ostream& out, const Model& model, const About& about);

/// `sha256-...`, as the content security policy names the style sheet.
std::string style_hash();

// The page's parts, each in a file of its own.

/// The verdict, its first fault and what was checked.
void write_verdict(Html& html, const Model& model, const About& about);
/// Numbers of the whole log.
void write_numbers(Html& html, const Model& model);
/// Links to the sessions, if there are several.
void write_index(Html& html, const Model& model);
/// A session: what it was, and its timeline.
void write_session(Html& html, const Model& model, std::size_t index);
/// One thing of a timeline, and what lies before it.
void write_entry(Html& html, const Model& model, const Session& session, const Entry& entry);
void write_between(Html& html, const Between& between);
/// How a decision went, came from and why; the rows of an entry.
void write_decision(Html& html, const Model& model, const Entry& entry);
/// A table of members, and how many more there are.
void write_members(Html& html, const Members& members);
/// "line 12, seq 11".
void write_place(Html& html, const Place& place);

}  // namespace agentlock::cli::report
