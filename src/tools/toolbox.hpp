#pragma once

#include <memory>

#include "agentlock/gate.hpp"
#include "agentlock/ledger.hpp"
#include "config/config.hpp"
#include "perception/element_ids.hpp"
#include "perception/page_reader.hpp"
#include "tools/confirmations.hpp"
#include "tools/driver.hpp"
#include "tools/recorder.hpp"
#include "tools/top_level.hpp"
#include "tools/typed_values.hpp"

namespace agentlock::tools {

/// Everything that a tool works with, for one session. Nothing of it outlives it.
class Toolbox {
 public:
  Toolbox(Executor executor, config::Config configuration, Recorder::Setup setup);

  /// Grows with each prompt that came in through the operator channel.
  std::size_t operator_prompts() const { return recorder.operator_prompts(); }

  const config::Config config;
  Ledger ledger;
  Gate gate;
  Recorder recorder;
  TopLevel top_level;
  TypedValues typed;
  Confirmations confirmations;
  Driver driver;
  perception::ElementIds ids;
  perception::PageReader reader;
};

}  // namespace agentlock::tools
