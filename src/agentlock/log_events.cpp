#include "agentlock/log_events.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace agentlock {

Result<nlohmann::ordered_json> provenance_event(ContextChain& chain, const Ledger::Entry& entry,
                                                std::string_view writer, double now,
                                                bool with_content) {
  const std::string authority = entry.channel == Channel::kPage ? "untrusted" : "authoritative";
  AGENTLOCK_TRY(head, chain.add(entry.content_hash, entry.source, authority, writer, now));
  nlohmann::ordered_json line = {{"provenance_id", entry.id},
                                 {"channel", std::string(to_string(entry.channel))},
                                 {"source", entry.source}};
  if (entry.origin) line["origin"] = entry.origin->serialize();
  line["content_hash"] = entry.content_hash;
  line["bytes"] = entry.content.size();
  if (with_content) line["content"] = entry.content;
  line["authority"] = authority;
  line["writer_id"] = std::string(writer);
  line["timestamp"] = now;
  line["context_hash"] = head;
  return line;
}

nlohmann::ordered_json decision_event(const nlohmann::ordered_json& parameters,
                                      const Receipt& receipt) {
  return {{"action", receipt.tool_name},
          {"parameters", parameters},
          {"decision", receipt.decision},
          {"reason", receipt.reason},
          {"receipt", to_json(receipt)}};
}

}  // namespace agentlock
