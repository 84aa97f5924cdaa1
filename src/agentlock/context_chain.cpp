#include "agentlock/context_chain.hpp"

#include "agentlock/joined.hpp"
#include "agentlock/sha256.hpp"

namespace agentlock {

ContextChain::ContextChain() : head_(sha256_hex("")) {}

Result<std::string> ContextChain::add(std::string_view content_hash, std::string_view source,
                                      std::string_view authority, std::string_view writer_id,
                                      double timestamp) {
  AGENTLOCK_TRY(joined, join_by_nul({head_, content_hash, source, authority, writer_id,
                                     six_decimals(timestamp)}));
  head_ = sha256_hex(joined);
  return head_;
}

}  // namespace agentlock
