#include "agentlock/gate.hpp"
#include "agentlock/verdicts.hpp"

// A page-caused target is never cleared by lineage, not by the operator's text
// either: a page chose it, so only its origin counts. Each rule that lets one pass
// is a function here; what none of them lets pass is refused as PAGE of the origin
// that caused it. Source: gate.md, "Hops"; attacks.md A8.

namespace agentlock {
namespace {

bool is_upgrade(const Hop& hop) {
  return hop.from.scheme() == "http" && hop.from.port() == 80 && hop.target.scheme() == "https" &&
         !hop.target.port().has_value() && hop.from.host() == hop.target.host();
}

bool differ_by_www(std::string_view one, std::string_view other) {
  const auto is_www_of = [](std::string_view longer, std::string_view shorter) {
    return longer.size() == shorter.size() + 4 && longer.starts_with("www.") &&
           longer.substr(4) == shorter;
  };
  return is_www_of(one, other) || is_www_of(other, one);
}

bool is_www_change(const Hop& hop) {
  if (!hop.redirect || !hop.operator_began) return false;
  const Origin target = hop.target.origin();
  const bool same_scheme = hop.from.scheme() == target.scheme() && hop.from.port() == target.port();
  const bool upgraded = hop.from.scheme() == "http" && hop.from.port() == 80 &&
                        target.scheme() == "https" && target.port() == 443;
  return (same_scheme || upgraded) && differ_by_www(hop.from.host(), target.host());
}

bool may_go_to_allowlist(const Hop& hop, const Ledger& ledger) {
  const bool from_named_page = ledger.allowlisted(hop.from) || hop.tab_channel == Channel::kUser ||
                               hop.tab_channel == Channel::kAllowlist;
  return hop.redirect || from_named_page;
}

}  // namespace

Verdict Gate::judge_hop(const Hop& hop) const {
  const Origin target = hop.target.origin();
  if (policy_.hop_policy == HopPolicy::kUsual && hop.get) {
    if (ledger_.allowlisted(target) && may_go_to_allowlist(hop, ledger_)) {
      if (auto carried = carries(hop.target)) return *std::move(carried);
      return allow(Channel::kAllowlist, "");
    }
    if (is_upgrade(hop)) return allow(hop.tab_channel, "upgrade");
    if (is_www_change(hop)) return allow(hop.tab_channel, "www");
  }
  Verdict verdict;
  verdict.reason = "param_lineage";
  verdict.channel = Channel::kPage;
  verdict.origin = hop.from;
  verdict.askable = hop.get;
  verdict.detail =
      hop.get ? "The page, not the operator, chose this address. Stay on the page, or ask the "
                "operator to name the address or to put its origin on the allowlist."
              : "The page tried to send a form to another origin. It can't be asked about, because "
                "the form's data can't be replayed: ask the operator to put that origin on the "
                "allowlist or to do this step.";
  return verdict;
}

}  // namespace agentlock
