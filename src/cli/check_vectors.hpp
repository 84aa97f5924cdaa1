#pragma once

#include <istream>
#include <ostream>

namespace agentlock::cli {

/// `check --format vectors`: reads JSON Lines, each with `id`, `entries` (`authority`,
/// `content`), `parameters` and `min_len` (6 where it is missing), and writes for each
/// a line with `id`, `param_lineage`, `param_outcome`, `novel_lineage` and
/// `novel_outcome` as the exact lineage engine gives them, so that two engines can be
/// compared. Other members are ignored. A line that can't be read gives `id` (or null)
/// and `error`, and the rest goes on. Empty lines are skipped.
/// Returns the exit code: 0, or 1 if some line could not be read.
int check_vectors(std::istream& in, std::ostream& out);

}  // namespace agentlock::cli
