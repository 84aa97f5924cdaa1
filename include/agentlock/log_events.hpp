#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/context_chain.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/receipt.hpp"
#include "agentlock/result.hpp"

namespace agentlock {

/// Adds an entry of the ledger to the context chain and gives the members of its
/// `provenance` line, which verify_log() holds against the chain. `writer` is a name of
/// the caller's choice, `now` the clock's time, `with_content` whether the text itself
/// stands in the line. kInvalidArgument if source or writer hold a NUL.
Result<nlohmann::ordered_json> provenance_event(ContextChain& chain, const Ledger::Entry& entry,
                                                std::string_view writer, double now,
                                                bool with_content);

/// The members of a `decision` line that verify_log() holds against its receipt, and the
/// receipt. `parameters` is the object that the receipt's parameters_hash is of.
nlohmann::ordered_json decision_event(const nlohmann::ordered_json& parameters,
                                      const Receipt& receipt);

}  // namespace agentlock
