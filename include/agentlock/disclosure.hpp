#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "agentlock/draft.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/result.hpp"

namespace agentlock {

/// A draft as JSON, with what had to be recorded for it.
struct Disclosed {
  nlohmann::ordered_json json;
  std::vector<const Ledger::Entry*> recorded;  ///< entries that are new in the ledger
};

/// The one way from page text to a client: records every page string of the draft
/// (one PAGE entry for each origin, strings joined by LF), and only then makes the
/// JSON. `source` names the tool. kLimit if the ledger is full: nothing is handed
/// over then.
Result<Disclosed> disclose(const Draft& draft, Ledger& ledger, std::string_view source);

/// Records page text that is judged before, or without, being handed over. kLimit if
/// the ledger is full.
Result<Ledger::Recorded> record(const PageText& text, Ledger& ledger, std::string_view source);

}  // namespace agentlock
