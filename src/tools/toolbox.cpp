#include "tools/toolbox.hpp"

namespace agentlock::tools {

Toolbox::Toolbox(Executor executor, config::Config configuration, Recorder::Setup setup)
    : config(std::move(configuration)),
      ledger(static_cast<std::size_t>(config.ledger_max_mb) << 20U, config.lineage_mode),
      gate(config.policy(), ledger),
      recorder(std::move(setup), ledger),
      top_level(gate, recorder),
      confirmations(config.confirm_cap),
      driver(std::move(executor), config, top_level, recorder),
      reader(ids) {
  recorder.record_operator(config.operator_text);
  for (const Origin& origin : config.allowlist) recorder.record_allowlist(origin);
}

}  // namespace agentlock::tools
