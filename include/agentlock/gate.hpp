#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/channel.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/origin.hpp"
#include "agentlock/parameters.hpp"
#include "agentlock/policy.hpp"
#include "agentlock/url.hpp"

namespace agentlock {

struct Traced;

enum class Decision { kAllow, kDeny };

/// Which rule decided: the gate, or one of the few that are not the gate's.
/// Source: gate.md, section 7.
enum class DecidedBy {
  kGate,
  kUrl,              ///< not a URL that may be navigated to at all
  kLinkFreshness,    ///< a link id of another page load, or its href has changed
  kCredentialField,  ///< values for those never come from the model
  kArguments,        ///< a value that can't be typed as it is
  kOneTab,           ///< a page that no rule lets open
  kConfirm,          ///< the operator was asked and did not say yes, or a no still stands
  kLog,              ///< the decision could not be written down
};

/// "agentlock_gate", "server:url", ...
std::string_view to_string(DecidedBy decided_by);

/// What a lineage denial rests on. Empty texts are not there.
struct LineageEvidence {
  std::string gate;  ///< param_lineage or novel_lineage
  std::string rule;  ///< which rule of the closed modes matched; docs/lineage.md names them
  std::string matched_param;
  std::string matched_kind;
  std::string matched_token;
  std::string matched_value;
  std::string classification;
  std::string match_direction;
  std::string untrusted_provenance_id;
  std::string untrusted_source_ref;
  std::string element;  ///< the page element whose text matched, where it is known
};

/// What an allow rests on: which checks ran, and with what outcome.
struct GrantBasis {
  std::string param_lineage;
  std::string novel_lineage;
  std::string rule = {};  ///< of the closed modes, which have no other
};

/// A decision before it is signed and written down.
struct Verdict {
  Decision decision = Decision::kDeny;
  DecidedBy decided_by = DecidedBy::kGate;
  std::string reason;  ///< why it was denied; empty on an allow
  std::string detail;  ///< what to do instead: a sentence of ours, without page text
  std::string cause;   ///< upgrade, www, cleared: why it passes without a channel's word
  Channel channel = Channel::kModel;
  std::optional<Origin> origin;  ///< where the value came from, for PAGE
  bool fail_open = false;
  /// A person may overrule it.
  bool askable = false;
  std::optional<LineageEvidence> evidence;
  std::optional<GrantBasis> basis;

  bool allowed() const { return decision == Decision::kAllow; }
};

/// A top-level navigation that a page causes. Source: gate.md, "Hops"; attacks.md A8.
struct Hop {
  Origin from;  ///< who causes it: the page, or the redirecting server
  Url target;
  bool get = true;
  /// A redirect of a navigation that was itself allowed.
  bool redirect = false;
  /// The redirect belongs to a navigation that the operator's words or yes began.
  bool operator_began = false;
  /// The channel that let the tab come to where it is.
  Channel tab_channel = Channel::kModel;
};

/// Decides where values may go, from where they came. It holds no state but the
/// ledger that it is given, waits for nothing and writes nothing; every path that
/// did not earn an allow is a denial. So is every action once the ledger is broken, and
/// one whose judging throws (attacks.md A31). Source: gate.md.
class Gate {
 public:
  Gate(Policy policy, const Ledger& ledger) : policy_(policy), ledger_(ledger) {}

  const Policy& policy() const { return policy_; }

  /// navigate(url) with the argument as the client gave it. `target` is the URL that
  /// it would go to, if it is one.
  struct Navigation {
    Verdict verdict;
    std::optional<Url> target;
  };
  Navigation navigate(std::string_view argument) const;

  /// navigate(link_id) to a link of this page load whose href is still the one that
  /// was shown; `current` is the top document's origin, `frame` the link's own.
  Verdict follow_link(const Url& target, const Origin& current, const Origin& frame,
                      std::string_view link = "") const;

  /// A value into a field of a frame of `frame`'s origin, in a tab at `top`. `earlier`:
  /// what was typed into the other fields of its form since the page was loaded, in
  /// order; `element`: the field's id.
  Verdict type(std::string_view value, const Origin& frame, const Origin& top,
               const std::vector<std::string>& earlier = {}, std::string_view element = "") const;

  /// `reached`: the target's origin was reached by an allowed navigation before.
  Verdict back(const Url& target, const Origin& current, bool reached) const;

  Verdict hop(const Hop& hop) const;

 private:
  // The rules themselves; the public functions see to it that they can be kept.
  Navigation judge_navigate(std::string_view argument) const;
  Verdict judge_follow_link(const Url& target, const Origin& current, const Origin& frame,
                            std::string_view link) const;
  Verdict judge_type(std::string_view value, const Origin& frame, const Origin& top,
                     const std::vector<std::string>& earlier, std::string_view element) const;
  Verdict judge_back(const Url& target, const Origin& current, bool reached) const;
  Verdict judge_hop(const Hop& hop) const;
  Verdict navigate_to(const Url& target, std::string_view argument) const;
  Verdict by_exact_lineage(const Parameter& parameters) const;
  Verdict by_closed_lineage(const Traced& traced, std::string_view param,
                            std::string_view value) const;
  /// The refusal of an address that carries data between sites, if it does.
  std::optional<Verdict> carries(const Url& target) const;

  Policy policy_;
  const Ledger& ledger_;
};

/// A denial by one of the server's own rules.
Verdict refuse(DecidedBy decided_by, std::string reason, std::string detail);

}  // namespace agentlock
