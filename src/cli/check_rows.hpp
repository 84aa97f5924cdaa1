#pragma once

#include <istream>
#include <ostream>

#include "agentlock/policy.hpp"

namespace agentlock::cli {

/// `check --format rows --mode M`: what the gate would decide, offline. Reads JSON
/// Lines, each with `id`, `user_text`, `allowlist` (origins; what is none is left
/// out), `page_text`, `page_origin`, `action` (navigate or type) and `value`, and
/// writes for each `{id, decision, channel, reason, rule}`: `rule` is the one that
/// decided, or the outcome of the exact mode's checks. The field is taken to be of the
/// page's own origin. A line that can't be read gives `id` (or null) and `error`, and
/// the rest goes on. Empty lines are skipped.
/// Returns the exit code: 0, or 1 if some line could not be read.
int check_rows(std::istream& input, std::ostream& output, LineageMode mode);

}  // namespace agentlock::cli
