#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "agentlock/gate.hpp"
#include "agentlock/url.hpp"
#include "tools/asker.hpp"
#include "tools/recorder.hpp"

namespace agentlock::tools {

class ToolCall;

/// What a person is asked about.
struct Matter {
  std::string action;         ///< AgentLock's name, browser.navigate
  std::string title;          ///< the first line: "Confirm navigate"
  std::string source;         ///< where the value came from, in our words and an origin
  std::string value;          ///< exactly what would be done
  std::optional<Url> target;  ///< of a navigation
  std::string receiver;       ///< of typing: which field, and who gets it
  std::string asking_origin;  ///< the page whose noes are counted
  std::string key;            ///< a no to one of these is a no to all with the same
};

/// What came of asking.
enum class Asked {
  kAllowOnce,
  kTrustOrigin,
  kDeclined,     ///< now, or earlier for the same
  kCancelled,    ///< closed, not answered in time, or answered with nonsense
  kUnavailable,  ///< there is nobody to ask
  kCapReached,   ///< this page has got its noes
};

inline bool is_yes(Asked asked) {
  return asked == Asked::kAllowOnce || asked == Asked::kTrustOrigin;
}
/// As the gate block spells it: accepted, declined, cancelled, unavailable, cap_reached.
std::string_view to_string(Asked asked);

/// The session's questions to the person: which were answered with no, and how often.
/// Source: tools.md, "Human confirmation"; attacks.md A16, A20, A21, A23.
class Confirmations {
 public:
  explicit Confirmations(std::size_t cap) : cap_(cap) {}

  /// Asks, if there is somebody and nothing speaks against it. The call gives up its
  /// turn meanwhile.
  Task<Asked> ask(ToolCall& call, const Matter& matter);

 private:
  /// New words of the operator: noes of before no longer stand (attacks.md A23, A48).
  void forget_noes_of_before(std::size_t prompts);

  std::size_t cap_;
  std::set<std::string> declined_;
  std::map<std::string, std::size_t> noes_;  // by the asking page's origin
  std::size_t asked_ = 0;
  std::size_t prompts_ = 0;  // of the operator, when last looked at
};

/// The verdict of something that was asked about and did not get its yes.
Verdict after_no(Verdict verdict, Asked asked);

/// The verdict of something that got its yes, but is no longer what was asked about.
Verdict changed_while_asked(Verdict verdict);

/// The question as the person sees it.
Question question_about(const Matter& matter);

}  // namespace agentlock::tools
