#include "agentlock/ledger.hpp"

#include <algorithm>
#include <utility>

#include "agentlock/operator_text.hpp"
#include "agentlock/page_words.hpp"
#include "agentlock/sha256.hpp"
#include "base/random_id.hpp"

namespace agentlock {

std::string_view Ledger::Entry::element_at(std::size_t offset) const {
  std::string_view element;
  for (const Mark& mark : marks) {
    if (mark.offset > offset) break;
    element = mark.element;
  }
  return element;
}

Ledger::Ledger(std::size_t max_page_bytes, LineageMode mode)
    : max_page_bytes_(max_page_bytes),
      mode_(mode),
      operator_text_(std::make_unique<OperatorText>()),
      echoes_(std::make_unique<OperatorText>()),
      page_words_(std::make_unique<PageWords>()) {}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;

const Ledger::Entry* Ledger::add(Entry entry) {
  entry.id = "cprov_" + random_hex(8);
  if (entry.content_hash.empty()) entry.content_hash = sha256_hex(entry.content);
  return &entries_.emplace_back(std::move(entry));
}

void Ledger::index(const Entry* entry, Authority authority) {
  const std::size_t number = lineage_.add(authority, entry->content);
  lineage_entries_.push_back(entry);
  const bool is_page = authority == Authority::kUntrusted;
  if (mode_ != LineageMode::kAgentlock && is_page) page_words_->add(number, entry->content);
}

Ledger::Recorded Ledger::record_operator(std::string text, std::string source,
                                         std::optional<std::chrono::year_month_day> today) {
  const bool usable = !broken_;
  return whole_or_broken([&]() -> Recorded {
    const Entry* entry = add({.id = "",
                              .channel = Channel::kUser,
                              .origin = std::nullopt,
                              .source = std::move(source),
                              .content = std::move(text),
                              .content_hash = "",
                              .marks = {}});
    if (usable) index(entry, Authority::kAuthoritative);
    said_.push_back({entry, today, false});
    if (usable && mode_ != LineageMode::kAgentlock) operator_text_->add(entry->content, today);
    return {entry, true};
  });
}

Ledger::Recorded Ledger::record_allowlist(const Origin& origin, std::string source) {
  for (const Entry* known : allowlist_) {
    if (known->origin == origin) return {known, false};
  }
  return whole_or_broken([&]() -> Recorded {
    const Entry* entry = add({.id = "",
                              .channel = Channel::kAllowlist,
                              .origin = origin,
                              .source = std::move(source),
                              .content = origin.serialize(),
                              .content_hash = "",
                              .marks = {}});
    allowlist_.push_back(entry);
    return {entry, true};
  });
}

Result<std::vector<Ledger::Recorded>> Ledger::record_pages(std::vector<Page> pages,
                                                           std::string_view source) {
  if (broken_) {
    return fail(ErrorCode::kInternal,
                "ledger_broken: recording what a page said failed before, probably for lack of "
                "memory, so nothing more may be read. Start the server anew.");
  }
  return whole_or_broken([&] { return record_all(std::move(pages), source); });
}

Result<std::vector<Ledger::Recorded>> Ledger::record_all(std::vector<Page> pages,
                                                         std::string_view source) {
  std::vector<std::string> keys;
  std::vector<std::string> hashes;
  std::size_t needed = 0;
  for (const Page& page : pages) {
    hashes.push_back(sha256_hex(page.content));
    keys.push_back(page.origin.serialize() + '\n' + hashes.back());
    if (!pages_.contains(keys.back())) needed += page.content.size();
  }
  if (needed > max_page_bytes_ - page_bytes_) {
    return fail(ErrorCode::kLimit,
                "ledger_full: the ledger holds all the page text that it may (ledger_max_mb), and "
                "nothing may be read that is not recorded. Start a new session, or raise "
                "ledger_max_mb.");
  }
  page_bytes_ += needed;
  std::vector<Recorded> recorded;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (const auto known = pages_.find(keys[i]); known != pages_.end()) {
      recorded.push_back({known->second, false});
      continue;
    }
    const Entry* entry = add({.id = "",
                              .channel = Channel::kPage,
                              .origin = std::move(pages[i].origin),
                              .source = std::string(source),
                              .content = std::move(pages[i].content),
                              .content_hash = std::move(hashes[i]),
                              .marks = std::move(pages[i].marks)});
    // Known only once lineage can find it: what fails before this is read again.
    index(entry, Authority::kUntrusted);
    pages_.emplace(std::move(keys[i]), entry);
    recorded.push_back({entry, true});
  }
  return recorded;
}

Result<Ledger::Recorded> Ledger::record_page(std::string content, const Origin& origin,
                                             std::string source, std::vector<Mark> marks) {
  std::vector<Page> pages;
  pages.push_back({std::move(content), origin, std::move(marks)});
  AGENTLOCK_TRY(recorded, record_pages(std::move(pages), source));
  return recorded.front();
}

Ledger::Recorded Ledger::record_confirmed(Yes yes, std::string source) {
  return whole_or_broken([&]() -> Recorded {
    const Entry* entry = add({.id = "",
                              .channel = Channel::kUserConfirmed,
                              .origin = std::nullopt,
                              .source = std::move(source),
                              .content = yes.value,
                              .content_hash = "",
                              .marks = {}});
    confirmed_.push_back(std::move(yes));
    return {entry, true};
  });
}

bool Ledger::confirmed(const Yes& yes) const {
  return std::find(confirmed_.begin(), confirmed_.end(), yes) != confirmed_.end();
}

void Ledger::use_confirmed(const Yes& yes) {
  const auto found = std::find(confirmed_.begin(), confirmed_.end(), yes);
  if (found != confirmed_.end()) confirmed_.erase(found);
}

void Ledger::record_visited(const Url& url) {
  if (!visited_.insert(url.href()).second) return;
  visits_.push_back(url.href());
  if (visits_.size() <= kMaxVisited) return;
  visited_.erase(visits_.front());
  visits_.pop_front();
}

bool Ledger::allowlisted(const Origin& origin) const {
  for (const Entry* entry : allowlist_) {
    if (entry->origin == origin) return true;
  }
  return false;
}

}  // namespace agentlock
