#pragma once

#include <ostream>
#include <span>
#include <string>

namespace agentlock::cli {

/// `agentlock-browser report LOG -o FILE [--key FILE] [--secret FILE] [--entries N]
/// [--from LINE]`, the arguments being those after `report`: a decision log as one page
/// of HTML that a person can read. `-o -` writes it to `out`. What happened is told on
/// `err`, in ASCII. Returns verify's exit code for the log, or 5 if the page could not
/// be made. Source: gate.md, section 9; docs/decision-log.md.
int report_command(std::span<const std::string> args, std::ostream& out, std::ostream& err);

}  // namespace agentlock::cli
