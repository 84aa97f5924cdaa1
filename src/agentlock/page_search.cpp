#include "agentlock/page_search.hpp"

#include <algorithm>
#include <vector>

#include "agentlock/decodings.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/page_words.hpp"
#include "agentlock/token.hpp"
#include "url/domain.hpp"

namespace agentlock {
namespace {

// The shortest folded text that is looked for inside words, in bytes.
constexpr std::size_t kMinInside = 6;
// What a decoding gives must be longer to mean something.
constexpr std::size_t kMinDecoded = 6;

}  // namespace

bool is_distinctive(std::string_view text) {
  return !tokens(text, LineageIndex::kDefaultMinLength).empty();
}

std::optional<PageFind> PageSearch::foreign(std::optional<PageFind> found) const {
  if (!found || !own_) return found;
  const auto is_own = [&](std::size_t entry) {
    return ledger_.lineage_entry(entry).origin == *own_;
  };
  if (is_own(found->entry)) return std::nullopt;
  const std::string phrase = found->phrase.empty() ? fold_words(found->matched) : found->phrase;
  const bool is_own_too = !phrase.empty() && ledger_.page_words().stands_in(phrase, is_own);
  if (is_own_too) return std::nullopt;
  return found;
}

std::optional<PageFind> PageSearch::find_exact(std::string_view part) const {
  const ParamLineage found =
      check_param_lineage(ledger_.lineage(), text_parameters("value", std::string(part)));
  if (!found.match) return std::nullopt;
  return PageFind{found.match->entry, "page_exact", found.match->token,
                  found.match->kind,  "",           found.match->raw_substring_scan};
}

std::optional<PageFind> PageSearch::find_folded(std::string_view part, std::string rule) const {
  const std::string phrase = fold_words(part);
  const std::string joined = fold_joined(part);
  const PageWords& words = ledger_.page_words();
  const bool inside = joined.size() >= kMinInside;
  if (const auto entry = words.entry_with(phrase, !inside)) {
    return PageFind{*entry, std::move(rule), std::string(part), "", phrase};
  }
  if (const auto entry = words.entry_with_joined(joined)) {
    return PageFind{*entry, "page_code", std::string(part), "", joined};
  }
  return std::nullopt;
}

std::optional<PageFind> PageSearch::find_token(std::string_view part) const {
  if (auto found = foreign(find_exact(part))) return found;
  if (auto found = foreign(find_folded(part, "page_token"))) return found;
  // Its own tokens: a page's address with something of the model's around it.
  for (const Token& token : tokens(part, LineageIndex::kDefaultMinLength)) {
    if (token.text == part) continue;
    if (auto found = foreign(find_folded(token.text, "page_token"))) return found;
  }
  return std::nullopt;
}

std::optional<PageFind> PageSearch::find_phrase(std::string_view phrase, std::string rule) const {
  const auto entry = ledger_.page_words().entry_with(phrase, true);
  if (!entry) return std::nullopt;
  return foreign(PageFind{*entry, std::move(rule), std::string(phrase), "", std::string(phrase)});
}

std::optional<PageFind> PageSearch::find_joined(std::string_view joined, std::string rule) const {
  const auto entry = ledger_.page_words().entry_with_joined(joined);
  if (!entry) return std::nullopt;
  return foreign(PageFind{*entry, std::move(rule), std::string(joined), "", std::string(joined)});
}

std::optional<PageFind> PageSearch::find_symbols(std::string_view text) const {
  for (std::size_t i = 0; i < ledger_.lineage().size(); ++i) {
    const Ledger::Entry& entry = ledger_.lineage_entry(i);
    if (entry.channel != Channel::kPage || entry.content.find(text) == std::string::npos) continue;
    return foreign(PageFind{i, "page_symbols", std::string(text), "", ""});
  }
  return std::nullopt;
}

std::optional<PageFind> PageSearch::find_decoded(std::string_view value) const {
  for (const std::string& plain : decodings(value)) {
    if (fold_joined(plain).size() >= kMinDecoded) {
      if (auto found = foreign(find_folded(plain, "page_decoded"))) return found;
    }
    for (const Token& token : tokens(plain, LineageIndex::kDefaultMinLength)) {
      if (auto found = foreign(find_folded(token.text, "page_decoded"))) return found;
    }
  }
  return std::nullopt;
}

std::optional<PageFind> PageSearch::find_host(std::string_view host) const {
  std::vector<std::string> names{std::string(host)};
  for (std::string& spelled : ipv4_spellings(host)) names.push_back(std::move(spelled));
  const bool is_address = names.size() > 1 || host.starts_with('[');
  if (!is_address) {
    if (host.find("xn--") != std::string_view::npos) names.push_back(url::domain_to_unicode(host));
    // The domains above it, down to two labels.
    for (std::size_t dot = host.find('.'); dot != std::string_view::npos;) {
      const std::size_t next = host.find('.', dot + 1);
      if (next == std::string_view::npos) break;
      names.emplace_back(host.substr(dot + 1));
      dot = next;
    }
  }
  for (const std::string& name : names) {
    const auto entry = ledger_.page_words().entry_with(fold_words(name), true);
    if (entry) return PageFind{*entry, "page_host", name, "url", fold_words(name)};
  }
  if (is_address) return std::nullopt;
  // A label of its own carries data to whoever answers for the domain.
  for (std::size_t begin = 0; begin < host.size();) {
    const std::size_t end = std::min(host.find('.', begin), host.size());
    const std::string_view label = host.substr(begin, end - begin);
    begin = end + 1;
    if (!is_distinctive(label)) continue;
    if (auto found = find_folded(label, "page_host")) return found;
    if (auto found = find_decoded(label)) return found;
  }
  return std::nullopt;
}

}  // namespace agentlock
