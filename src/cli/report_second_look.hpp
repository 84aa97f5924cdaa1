#pragma once

#include <istream>

#include "agentlock/result.hpp"
#include "cli/report_model.hpp"

namespace agentlock::cli::report {

/// Reads the log again, from its beginning to where it ended the first time, for what
/// could only be known to be needed at its end: the provenance that the page's
/// decisions cite, and the line of the first fault.
Result<void> look_again(std::istream& log, Model& model);

}  // namespace agentlock::cli::report
