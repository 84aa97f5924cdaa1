#include "tools/top_level.hpp"

#include <utility>

#include "agentlock/url.hpp"
#include "base/encoding.hpp"

// Problem: a navigation that a tool was allowed to make, one that the page makes
// inside its own site, and one by which it leaves look alike to the interceptor: a
// document is about to be requested.
//
// Method: an origin is covered if the tab is there by an allowed navigation, or if
// it holds the one grant that a tool's navigation or an allowed hop has just put
// there. A covered request goes on and is no decision of its own. Everything else is
// a hop: its target is recorded as PAGE of who caused it (the page, or the server
// that redirected), the gate looks at its origin alone, and the line is in the log
// before the answer goes to Chromium.
//
// Who caused a redirect is known from its chain: all hops of one navigation share a
// name, and the chain remembers the last address that was let through, and whether
// it began with the very URL that the operator's words or yes allowed.
//
// Limits: a grant covers (tab, origin), not one URL: a page that races the tool to
// the granted origin only gets where the operator let the tab go anyway.

namespace agentlock::tools {
namespace {

constexpr std::size_t kMaxChains = 256;
constexpr std::size_t kMaxBlocked = 50;

// Chromium escapes a vertical bar in a path, the standard does not: a URL that we gave
// to it comes back so.
std::string as_chromium_writes(const Url& url) {
  std::string href = url.href();
  for (std::size_t i = 0; i < href.size() && href[i] != '?' && href[i] != '#'; ++i) {
    if (href[i] == '|') href.replace(i, 1, "%7C");
  }
  return href;
}

}  // namespace

void TopLevel::watch(const browser::Tab* tab) {
  tab_ = tab;
  grant_.reset();
  chains_.clear();
}

void TopLevel::grant(const Url& target, Channel channel) {
  grant_ = Grant{target.origin(), channel, as_chromium_writes(target),
                 tab_ != nullptr ? tab_->frames().page_load() : 0};
}

void TopLevel::begin_call(bool can_ask) {
  in_call_ = true;
  can_ask_ = can_ask;
  blocked_.clear();
}

std::vector<Decided> TopLevel::take_blocked() { return std::exchange(blocked_, {}); }

void TopLevel::end_call() {
  in_call_ = false;
  blocked_.clear();
}

const TopLevel::Grant* TopLevel::live_grant() const {
  const bool live = grant_ && tab_ != nullptr && tab_->frames().page_load() == grant_->page_load;
  return live ? &*grant_ : nullptr;
}

bool TopLevel::covered(const Origin& target, bool get) const {
  const Grant* grant = live_grant();
  return (get && grant != nullptr && grant->origin == target) ||
         (tab_->origin() == target && reached(target));
}

Channel TopLevel::tab_channel() const {
  const auto found = reached_.find(tab_->origin().serialize());
  return found != reached_.end() ? found->second : Channel::kModel;
}

void TopLevel::keep(Decided decided) {
  if (in_call_ && blocked_.size() < kMaxBlocked) blocked_.push_back(std::move(decided));
}

void TopLevel::remember(const std::string& navigation, Chain chain) {
  // A redirect of a chain that was forgotten counts as the page's own, which is less.
  if (chains_.size() >= kMaxChains) chains_.clear();
  chains_.insert_or_assign(navigation, std::move(chain));
}

browser::Ruling TopLevel::rule(const browser::DocumentRequest& request) {
  if (tab_ == nullptr || request.tab != tab_->target()) return browser::Ruling::kRefuse;

  const auto chain = chains_.find(request.navigation);
  const bool redirect = request.redirect && chain != chains_.end();
  const Origin from = redirect ? chain->second.last : tab_->origin();
  // A page can make them of any length, and as many as it likes.
  const std::string url(utf8_prefix(request.url, gate_.policy().max_url));
  const PageText shown(url, from);

  // What Chromium and we read differently, or what is no place to go, is refused
  // before its origin is looked at.
  auto target = request.url.size() <= gate_.policy().max_url
                    ? parse_navigable(request.url)
                    : Result<Url>(fail(ErrorCode::kLimit, "The URL is too long to be judged."));
  if (target && !is_fixed_point(request.url)) {
    target = fail(ErrorCode::kRefused,
                  "Chromium and this server read this URL differently, so it is not opened.");
  }
  const bool get = request.method == "GET";
  if (target && covered(target->origin(), get)) {
    const Grant* grant = live_grant();
    const bool began =
        grant != nullptr && !request.redirect && grant->href == as_chromium_writes(*target) &&
        (grant->channel == Channel::kUser || grant->channel == Channel::kUserConfirmed);
    const bool operator_began = redirect ? chain->second.operator_began : began;
    if (grant != nullptr && grant->origin == target->origin()) {
      // Coming back by a link or by history takes nothing from what the operator said.
      if (grant->channel == Channel::kPage) {
        reached_.try_emplace(target->origin().serialize(), grant->channel);
      } else {
        reached_[target->origin().serialize()] = grant->channel;
      }
    }
    remember(request.navigation, {target->origin(), operator_began});
    if (get) recorder_.record_visited(*target);
    return browser::Ruling::kContinue;
  }

  Verdict verdict;
  std::string href;
  if (!target) {
    verdict = refuse(DecidedBy::kUrl, "url_refused", target.error().message());
  } else {
    href = target->href();
    const Hop hop{
        .from = from,
        .target = *target,
        .get = get,
        .redirect = redirect,
        .operator_began = redirect && chain->second.operator_began,
        .tab_channel = redirect && live_grant() != nullptr ? live_grant()->channel : tab_channel()};
    // What a server sends on the way (a sign-in's state) is no data that was read, so a
    // redirect is judged by what pages said before it; a page's own choice by itself too.
    if (redirect) verdict = gate_.hop(hop);
    if (auto recorded = recorder_.record_page(shown, "navigation"); !recorded) {
      const bool full = recorded.error().code() == ErrorCode::kLimit;
      verdict = refuse(DecidedBy::kGate, full ? "ledger_full" : "ledger_broken",
                       recorded.error().message());
    } else if (!redirect) {
      verdict = gate_.hop(hop);
    }
  }
  // Nobody is asked about what happens while no call is under way.
  const bool unasked = verdict.askable && !(in_call_ && can_ask_);
  Decided decided = recorder_.decide({"browser.navigate", "url", url, href}, std::move(verdict),
                                     unasked ? "unavailable" : "");
  decided.target = shown;
  decided.href = href;
  if (!decided.allowed()) {
    keep(std::move(decided));
    return browser::Ruling::kRefuse;
  }
  grant(*target, decided.verdict.channel);
  grant_->href.clear();  // nothing that the page does later is the operator's own
  reached_[target->origin().serialize()] = decided.verdict.channel;
  remember(request.navigation, {target->origin(), redirect && chain->second.operator_began});
  if (get) recorder_.record_visited(*target);
  return browser::Ruling::kContinue;
}

void TopLevel::new_page(const browser::NewPage& page) {
  const Origin from = tab_ != nullptr ? tab_->origin() : Origin::opaque();
  Verdict verdict = refuse(DecidedBy::kOneTab, "new_page",
                           "The page tried to open another tab, and this version drives one. To go "
                           "there, navigate with the link's id.");
  verdict.channel = Channel::kPage;
  verdict.origin = from;
  const std::string url(utf8_prefix(page.url, gate_.policy().max_url));
  const auto target = Url::parse(url);
  const PageText shown(url, from);
  if (auto recorded = recorder_.record_page(shown, "new_page"); !recorded) {
    verdict.detail = recorded.error().message();
  }
  Decided decided = recorder_.decide({"browser.navigate", "url", url, target ? target->href() : ""},
                                     std::move(verdict));
  decided.target = shown;
  keep(std::move(decided));
}

}  // namespace agentlock::tools
