#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agentlock/channel.hpp"
#include "agentlock/lineage.hpp"
#include "agentlock/origin.hpp"
#include "agentlock/policy.hpp"
#include "agentlock/result.hpp"
#include "agentlock/url.hpp"

namespace agentlock {

class OperatorText;
class PageWords;
struct OperatorPrompt;

/// Which text came through which channel, in the order in which it came. No page text is
/// ever forgotten: at the bound, recording it fails (gate.md, section 1).
///
/// If recording throws (lack of memory), nobody knows how much of it happened: the
/// ledger is broken from then on, records nothing more, and the gate denies everything.
class Ledger {
 public:
  /// Where in an entry's content an element's text begins.
  struct Mark {
    std::size_t offset;
    std::string element;
  };

  struct Entry {
    std::string id;  ///< cprov_ and 16 hex digits
    Channel channel;
    std::optional<Origin> origin;  ///< of PAGE and ALLOWLIST entries
    std::string source;            ///< the way in: a tool, operator_text, allowlist
    std::string content;
    std::string content_hash;  ///< SHA-256, lowercase hex
    std::vector<Mark> marks;
    bool quoted = false;  ///< PAGE: the operator's prompt shows it, no page

    /// The element whose text holds the byte at `offset`, or "".
    std::string_view element_at(std::size_t offset) const;
  };

  /// An entry, and whether it was not there before.
  struct Recorded {
    const Entry* entry;
    bool fresh;
  };

  static constexpr std::size_t kDefaultMaxPageBytes = std::size_t{256} << 20U;

  /// `mode`: what the entries are indexed for. `closed` and `require` ask the same.
  explicit Ledger(std::size_t max_page_bytes = kDefaultMaxPageBytes,
                  LineageMode mode = LineageMode::kClosed);
  ~Ledger();
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;

  /// `today`: the operator's day when it was said, so that "tomorrow" is one; without
  /// it such words mean no day.
  Recorded record_operator(std::string text, std::string source,
                           std::optional<std::chrono::year_month_day> today = std::nullopt);
  /// What record_prompt() made of a prompt; null where there was nothing of the kind.
  struct Prompted {
    const Entry* own;
    const Entry* quoted;
    /// Tokens of the operator's own words that don't count, since a page supplied them
    /// before: they stand in `own` no more.
    std::vector<std::string> echoes;
  };
  /// A prompt of the running session (attacks.md A33). What it quotes is untrusted as
  /// page text is; kLimit if the ledger has no room for that: then nothing of the
  /// prompt is recorded.
  Result<Prompted> record_prompt(const OperatorPrompt& prompt, const std::string& source,
                                 std::chrono::year_month_day today);
  /// The operator's own words in all prompts so far count no more: the client began
  /// another session.
  void forget_prompts();
  /// Whether a text is, or names the same address as, a token that a prompt echoed.
  bool echoed(std::string_view text) const;

  Recorded record_allowlist(const Origin& origin, std::string source);
  /// What the operator said yes to: one action with one exact value in one place. It
  /// accounts for one decision and never joins the operator's text (attacks.md A6).
  struct Yes {
    std::string action;  ///< AgentLock's name of it, "browser.type"
    std::string value;   ///< an address in our own serialisation
    std::string place;   ///< the element, where there is one

    bool operator==(const Yes&) const = default;
  };
  Recorded record_confirmed(Yes yes, std::string source);
  bool confirmed(const Yes& yes) const;
  /// It has accounted for its decision.
  void use_confirmed(const Yes& yes);

  struct Page {
    std::string content;
    Origin origin;
    std::vector<Mark> marks;
  };
  /// All of them, in order; kLimit if the bound would be passed, kInternal if the
  /// ledger is broken: then none of them.
  Result<std::vector<Recorded>> record_pages(std::vector<Page> pages, std::string_view source);
  /// One.
  Result<Recorded> record_page(std::string content, const Origin& origin, std::string source,
                               std::vector<Mark> marks = {});

  /// A document that an allowed GET has opened in this session. It is remembered so
  /// that it may be opened again; the oldest are forgotten beyond kMaxVisited.
  void record_visited(const Url& url);
  bool visited(const Url& url) const { return visited_.contains(url.href()); }
  static constexpr std::size_t kMaxVisited = 10'000;

  bool allowlisted(const Origin& origin) const;
  const std::vector<const Entry*>& allowlist() const { return allowlist_; }
  /// USER and PAGE entries by the index that lineage() knows them by.
  const Entry& lineage_entry(std::size_t index) const { return *lineage_entries_[index]; }
  const LineageIndex& lineage() const { return lineage_; }
  std::size_t page_bytes() const { return page_bytes_; }
  /// What `closed` and `require` ask; empty in a ledger for `agentlock`.
  const OperatorText& operator_text() const { return *operator_text_; }
  const PageWords& page_words() const { return *page_words_; }

  /// Once true, true for good (attacks.md A31).
  bool broken() const { return broken_; }
  /// For who keeps more with an entry than the ledger does, and failed to.
  void mark_broken() { broken_ = true; }

 private:
  template <typename Work>
  auto whole_or_broken(Work work) {
    const bool was_broken = std::exchange(broken_, true);
    auto done = work();
    broken_ = was_broken;
    return done;
  }
  Result<std::vector<Recorded>> record_all(std::vector<Page> pages, std::string_view source);
  const Entry* add(Entry entry);
  void index(const Entry* entry, Authority authority);

  struct Said {
    const Entry* entry;
    std::optional<std::chrono::year_month_day> today;
    bool in_prompt;
  };

  std::size_t max_page_bytes_;
  LineageMode mode_;
  std::size_t page_bytes_ = 0;
  bool broken_ = false;
  std::deque<Entry> entries_;
  std::vector<const Entry*> allowlist_;
  std::vector<Yes> confirmed_;
  std::vector<Said> said_;  // what counts as the operator's
  std::vector<const Entry*> lineage_entries_;
  std::unordered_map<std::string, const Entry*> pages_;  // by origin and content hash
  LineageIndex lineage_;
  std::unique_ptr<OperatorText> operator_text_;
  std::unique_ptr<OperatorText> echoes_;
  std::set<std::string> echo_codes_;  // the same, without what parts their groups
  std::unique_ptr<PageWords> page_words_;
  std::set<std::string> visited_;
  std::deque<std::string> visits_;  // the oldest first
};

}  // namespace agentlock
