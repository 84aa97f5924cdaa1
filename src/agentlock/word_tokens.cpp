#include "agentlock/word_tokens.hpp"

// A word's tokens are those of its lowercase, as all classes of section 3 and 4 of
// agentlock-engine.md hold a character if they hold its lowercase. Only U+0130 is another
// matter: it is a letter of the grammars, and the second character of its lowercase is
// not. Words with it are searched as they are written, and what is found is lowered.

#include <utility>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/token_email.hpp"
#include "agentlock/token_url.hpp"
#include "agentlock/token_word.hpp"

namespace agentlock {

void WordTokens::clear() {
  // What a word of a megabyte needed is not kept for the next one.
  constexpr std::size_t kKeep = 1024;
  if (tokens_.capacity() > kKeep) tokens_ = {};
  if (ranges_.capacity() > kKeep) ranges_ = {};
  tokens_.clear();
  if (!kept_.empty()) kept_.clear();
}

const std::vector<TokenView>& WordTokens::of(std::string_view lowered, const WordTraits& traits) {
  clear();
  if (traits.dot_or_at) {
    ranges_.clear();
    find_emails(lowered, ranges_);
    for (const TextRange range : ranges_) {
      tokens_.push_back({TokenKind::kEmail, piece(lowered, range)});
    }
    ranges_.clear();
    find_urls(lowered, ranges_);
    for (const TextRange range : ranges_) {
      const std::string_view token = canonical_url(piece(lowered, range));
      if (!token.empty()) tokens_.push_back({TokenKind::kUrl, token});
    }
  }
  const std::string_view token = canonical_word(lowered, min_length_);
  if (!token.empty()) tokens_.push_back({TokenKind::kStr, token});
  add_forms(lowered, traits);
  return tokens_;
}

const std::vector<TokenView>& WordTokens::of_written(std::string_view word) {
  clear();
  ranges_.clear();
  find_emails(word, ranges_);
  for (const TextRange range : ranges_) {
    tokens_.push_back({TokenKind::kEmail, keep(lowercase(piece(word, range)))});
  }
  ranges_.clear();
  find_urls(word, ranges_);
  for (const TextRange range : ranges_) {
    const std::string_view token = canonical_url(keep(lowercase(piece(word, range))));
    if (!token.empty()) tokens_.push_back({TokenKind::kUrl, token});
  }
  const std::string_view token = canonical_word(keep(lowercase(word)), min_length_);
  if (!token.empty()) tokens_.push_back({TokenKind::kStr, token});
  add_forms(word, traits_of(word));
  return tokens_;
}

const std::vector<TokenView>& WordTokens::forms_of(std::string_view word) {
  clear();
  add_forms(word, traits_of(word));
  return tokens_;
}

void WordTokens::add_forms(std::string_view word, const WordTraits& traits) {
  if (traits.marker) {
    const std::string plain = refanged(word);
    ranges_.clear();
    find_urls(plain, ranges_);
    for (const TextRange range : ranges_) {
      const std::string lowered = lowercase(piece(plain, range));
      const std::string_view token = canonical_url(lowered);
      if (!token.empty()) tokens_.push_back({TokenKind::kUrl, keep(std::string(token))});
    }
  }
  if (!traits.digit || !traits.dashed) return;
  dates_.clear();
  append_dates(word, dates_);
  for (std::string& date : dates_) {
    if (date.size() < min_length_) continue;  // a date is ASCII
    tokens_.push_back({TokenKind::kDate, keep(std::move(date))});
  }
}

}  // namespace agentlock
