#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agentlock/lineage.hpp"
#include "agentlock/origin.hpp"

namespace agentlock {

class Ledger;

/// Where a part of a value stands in what pages said.
struct PageFind {
  std::size_t entry;    ///< Ledger::lineage_entry's index
  std::string rule;     ///< which way of looking found it
  std::string matched;  ///< the part
  std::string kind;     ///< of the token, where an exact one was found
  std::string phrase;   ///< folded; empty for exact finds
  bool raw_substring_scan = false;
};

/// Looks for parts of a value in the page entries of a ledger, in all spellings in
/// which a page could give it away (gate.md, section 4, "Looks the same, is the same").
class PageSearch {
 public:
  explicit PageSearch(const Ledger& ledger) : ledger_(ledger) {}

  /// The same, but what pages of `origin` say themselves is no find: only data carried
  /// from one site to another counts (attacks.md A7).
  PageSearch(const Ledger& ledger, Origin origin) : ledger_(ledger), own_(std::move(origin)) {}

  /// A distinctive part: the exact engine's search (`page_exact`), then the folded text
  /// (`page_token`, `page_code`).
  std::optional<PageFind> find_token(std::string_view part) const;

  /// Whole words next to each other, folded (`rule`).
  std::optional<PageFind> find_phrase(std::string_view phrase, std::string rule) const;

  /// Characters of a code, folded and joined (`rule`).
  std::optional<PageFind> find_joined(std::string_view joined, std::string rule) const;

  /// A text without words, exactly as it is (`page_symbols`). Reads all page text.
  std::optional<PageFind> find_symbols(std::string_view text) const;

  /// What a value stands for (`page_decoded`).
  std::optional<PageFind> find_decoded(std::string_view value) const;

  /// A host, its Unicode form, the domains above it, other spellings of an address
  /// (`page_host`).
  std::optional<PageFind> find_host(std::string_view host) const;

 private:
  std::optional<PageFind> find_exact(std::string_view part) const;
  std::optional<PageFind> find_folded(std::string_view part, std::string rule) const;
  std::optional<PageFind> foreign(std::optional<PageFind> found) const;

  const Ledger& ledger_;
  std::optional<Origin> own_;
};

/// Whether a text holds a token of the exact engine: an address, a code, a long word.
bool is_distinctive(std::string_view text);

}  // namespace agentlock
