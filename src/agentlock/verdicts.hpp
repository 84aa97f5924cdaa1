#pragma once

#include <string>
#include <utility>

#include "agentlock/gate.hpp"

namespace agentlock {

/// What a rule of the gate answers when it lets an action pass.
inline Verdict allow(Channel channel, std::string cause = "") {
  Verdict verdict;
  verdict.decision = Decision::kAllow;
  verdict.channel = channel;
  verdict.cause = std::move(cause);
  return verdict;
}

}  // namespace agentlock
