#include <algorithm>
#include <utility>

#include "agentlock/closed_lineage.hpp"
#include "agentlock/ledger.hpp"
#include "agentlock/operator_text.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/trace_part.hpp"
#include "agentlock/value_cover.hpp"

namespace agentlock {
namespace {

// The fields of a form that are looked at as one text, from the last one back.
constexpr std::size_t kMaxPieces = 16;

// A page's code typed in pieces: the fields before this one and this one, joined.
std::optional<PageFind> find_pieces(const PageSearch& pages, std::string_view value,
                                    const std::vector<std::string>& earlier) {
  std::string joined = fold_joined(value);
  const std::size_t count = std::min(earlier.size(), kMaxPieces);
  for (std::size_t back = 1; back <= count; ++back) {
    joined.insert(0, fold_joined(earlier[earlier.size() - back]));
    if (auto found = pages.find_joined(joined, "page_pieces")) return found;
  }
  return std::nullopt;
}

}  // namespace

Traced trace_value(const Ledger& ledger, LineageMode mode, std::string_view value,
                   const std::vector<std::string>& earlier) {
  const PageSearch pages(ledger);
  Traced traced = trace_part(ledger, {pages, pages}, value);
  if (traced.channel == Channel::kUser || traced.channel == Channel::kPage) return traced;
  if (auto found = find_pieces(pages, value, earlier)) {
    return {Channel::kPage, found->rule, found->matched, std::move(found)};
  }
  const bool required = mode == LineageMode::kRequire && traced.channel == Channel::kUnclassified;
  return required ? require_part(ledger, value, std::move(traced)) : traced;
}

Traced require_part(const Ledger& ledger, std::string_view value, Traced traced) {
  const std::string spelled = spelling(value);
  for (const ValueChunk& chunk :
       cover(spelled, written_forms(spelled, Side::kValue, std::nullopt), ledger.operator_text())) {
    for (const TextRange part : chunk.uncovered) {
      const std::string phrase = fold_words(piece(spelled, part));
      if (auto found = PageSearch(ledger).find_phrase(phrase, "page_word")) {
        return {Channel::kPage, found->rule, found->matched, std::move(found)};
      }
    }
  }
  return {Channel::kModel, "required", std::move(traced.matched), {}};
}

}  // namespace agentlock
