#include "tools/tool.hpp"

#include <nlohmann/json.hpp>

namespace agentlock::tools {

Outcome Outcome::of(Json structured) {
  Outcome outcome;
  outcome.structured = std::move(structured);
  return outcome;
}

Outcome Outcome::failed(std::string sentence) {
  Outcome outcome;
  outcome.error = std::move(sentence);
  outcome.is_error = true;
  return outcome;
}

}  // namespace agentlock::tools
