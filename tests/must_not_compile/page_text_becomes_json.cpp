#include <nlohmann/json.hpp>

#include "agentlock/disclosure.hpp"

nlohmann::ordered_json hand_over(const agentlock::PageText& text, agentlock::Ledger& ledger) {
#ifdef MUST_NOT_COMPILE
  (void)ledger;
  return nlohmann::ordered_json(text);
#else
  return agentlock::disclose(agentlock::Draft(text), ledger, "test")->json;
#endif
}
