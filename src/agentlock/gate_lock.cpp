#include "agentlock/gate.hpp"

// A decision is worth what the ledger is worth. If the ledger broke while recording,
// or if a rule throws in the midst of judging, no rule can be relied on, and the answer
// to everything is no. Source: attacks.md A31.

namespace agentlock {
namespace {

Verdict locked() {
  return refuse(DecidedBy::kGate, "ledger_broken",
                "Recording what a page said failed, probably for lack of memory, so nothing can be "
                "traced to where it came from any more. Start the server anew.");
}

Verdict failed() {
  return refuse(DecidedBy::kGate, "gate_failed",
                "The value could not be judged, probably for lack of memory. Try a shorter one, or "
                "start the server anew.");
}

template <typename Judge>
Verdict sure(const Ledger& ledger, Judge judge) {
  if (ledger.broken()) return locked();
  try {
    return judge();
  } catch (const std::exception&) {
    return failed();
  }
}

}  // namespace

Gate::Navigation Gate::navigate(std::string_view argument) const {
  Navigation navigation;
  navigation.verdict = sure(ledger_, [&] {
    Navigation judged = judge_navigate(argument);
    navigation.target = std::move(judged.target);
    return std::move(judged.verdict);
  });
  return navigation;
}

Verdict Gate::follow_link(const Url& target, const Origin& current, const Origin& frame,
                          std::string_view link) const {
  return sure(ledger_, [&] { return judge_follow_link(target, current, frame, link); });
}

Verdict Gate::type(std::string_view value, const Origin& frame, const Origin& top,
                   const std::vector<std::string>& earlier, std::string_view element) const {
  return sure(ledger_, [&] { return judge_type(value, frame, top, earlier, element); });
}

Verdict Gate::back(const Url& target, const Origin& current, bool reached) const {
  return sure(ledger_, [&] { return judge_back(target, current, reached); });
}

Verdict Gate::hop(const Hop& hop) const {
  return sure(ledger_, [&] { return judge_hop(hop); });
}

}  // namespace agentlock
