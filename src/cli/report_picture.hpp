#pragma once

#include "cli/report_html.hpp"
#include "cli/report_model.hpp"

namespace agentlock::cli::report {

/// Decisions over time by channel, as inline SVG: a lane for each channel, time from
/// left to right with idle time cut short, a disc for what was allowed and a diamond
/// for what was denied, the larger the more there were. Holds no text of the log.
void draw_picture(Html& html, const Model& model);

}  // namespace agentlock::cli::report
