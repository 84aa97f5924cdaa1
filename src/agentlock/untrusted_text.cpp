#include "agentlock/untrusted_text.hpp"

// The published engine joins, at each decision and for each untrusted entry, its
// lowercase text, its canonical tokens and the encodings of all its tokens, and
// searches the result. The same answers come from far less, because no token holds a
// space:
//
//   * A token that stands in an entry stands within one word of it (or within one
//     canonical token, or one encoding). So the text is kept as its distinct words, each
//     where it came first, and of those only the ones in which a token can stand at all
//     (telling_words.cpp). Entries follow each other in the order of the log, so the first
//     place of a token lies in the first entry that holds it, and a word that came before
//     can't change any answer.
//   * E-mails, urls, plain words, dates and defanged hosts lie within one word too:
//     only words that are new are searched for them. Phones and amounts can run over
//     spaces and are searched for in the whole text. Canonical forms are kept as pieces of
//     their own.
//   * Encodings are not kept at all, but searched for by what they encode
//     (encoded_search.cpp, address_forms.cpp).
//
// The set of all tokens is kept as hashes: of the words, which nearly always are tokens
// themselves, and of the other tokens, which lie in words or are canonical forms.
//
// Cost: recording is linear in the text; a question about a token is the substring
// index's.

#include <algorithm>

#include "agentlock/encoded_search.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/number_tokens.hpp"
#include "agentlock/percent_form.hpp"
#include "agentlock/telling_words.hpp"
#include "agentlock/token_word.hpp"

namespace agentlock {
namespace {

bool is_address(TokenKind kind) { return kind == TokenKind::kUrl || kind == TokenKind::kEmail; }

}  // namespace

void UntrustedText::add(std::size_t entry, std::string_view content) {
  pieces_.begin_entry(entry);
  TellingWords words(content, min_length_);
  NumberTokens numbers(content, min_length_);
  while (words.next()) {
    if (words.traits().digit) {
      numbers_.clear();
      numbers.find_in(words.range(), numbers_);
      for (const Token& number : numbers_) add_form({number.kind, number.text});
    }
    if (words.telling().empty()) continue;
    if (words.traits().dotted_i) {
      add_written_word(words.telling());
    } else {
      lowered_.clear();
      append_lowercase(words.telling(), lowered_);
      add_word(lowered_, words.traits());
    }
  }
}

void UntrustedText::add_word(std::string_view lowered, const WordTraits& traits) {
  const std::uint64_t hash = hash_(lowered);
  if (find_word(lowered, hash)) return;
  const std::size_t place = pieces_.append(lowered, PieceKind::kWord);
  words_.insert(hash, place);
  const char* const end = lowered.data() + lowered.size();
  for (const TokenView& token : word_tokens_.of(lowered, traits)) {
    const bool is_whole = token.text.size() == lowered.size();
    if (token.text.data() < lowered.data() || token.text.data() >= end) {
      add_form(token);
    } else if (token.kind == TokenKind::kStr && is_whole) {
      add_ambiguous_form(token.text);  // is_word_token() knows it
    } else {
      const auto before = static_cast<std::size_t>(token.text.data() - lowered.data());
      add_token(token, place + before, is_whole);
    }
  }
}

void UntrustedText::add_written_word(std::string_view word) {
  lowered_.clear();
  append_lowercase(word, lowered_);
  pieces_.append(lowered_, PieceKind::kPlain);
  for (const TokenView& token : word_tokens_.of_written(word)) add_form(token);
}

void UntrustedText::add_form(const TokenView& token) {
  const std::uint64_t hash = hash_(token.text);
  const auto number = find_token(token.text, hash);
  const bool is_known = number || is_word_token(token.text, hash);
  if (is_known && (!is_address(token.kind) || (number && tokens_[*number].marked()))) return;
  add_token(token, pieces_.append(token.text, PieceKind::kToken), false);
}

void UntrustedText::add_token(const TokenView& token, std::size_t place, bool is_whole) {
  const std::uint64_t hash = hash_(token.text);
  auto number = find_token(token.text, hash);
  const bool is_new = !number && !is_word_token(token.text, hash);
  // An address that is a whole word is found as that; any other has to be marked.
  if (is_new || (!number && is_address(token.kind) && !is_whole)) {
    number = tokens_.size();
    token_index_.insert(hash, *number);
    tokens_.push_back(Span(place, token.text.size()));
    if (is_new) add_ambiguous_form(token.text);
  }
  if (!is_address(token.kind)) return;
  if (number) {
    if (tokens_[*number].marked()) return;
    // From here on its place tells the first entry in which it is an address.
    tokens_[*number] = Span(place, token.text.size());
    tokens_[*number].mark();
  }
  addresses_.add(Span(place, token.text.size()));
}

void UntrustedText::add_ambiguous_form(std::string_view token) {
  if (!is_percent_ambiguous(token)) return;
  pieces_.append(encode(token, Encoding::kPercent), PieceKind::kPlain);
}

std::optional<std::uint64_t> UntrustedText::find_token(std::string_view token,
                                                       std::uint64_t hash) const {
  return token_index_.find(hash, [&](std::uint64_t number) {
    const Span span = tokens_[number];
    return span.length() == token.size() && pieces_.at(span.place(), span.length()) == token;
  });
}

std::optional<std::uint64_t> UntrustedText::find_word(std::string_view lowered,
                                                      std::uint64_t hash) const {
  return words_.find(hash, [&](std::uint64_t place) {
    return pieces_.is_piece(place, lowered, PieceKind::kWord);
  });
}

bool UntrustedText::is_word_token(std::string_view token, std::uint64_t hash) const {
  return canonical_word(token, min_length_) == token && find_word(token, hash);
}

bool UntrustedText::has_token(std::string_view token) const {
  const std::uint64_t hash = hash_(token);
  return find_token(token, hash) || is_word_token(token, hash);
}

std::optional<std::size_t> UntrustedText::entry_holding(std::string_view token) const {
  std::size_t place = pieces_.find(token);
  // Within one entry it does not matter where the token stands.
  const std::size_t end =
      place == PieceText::kNotFound ? pieces_.size() : pieces_.entry_begin(place);
  const std::size_t encoded = EncodedSearch(pieces_, min_length_).find(token, end);
  place = std::min(place, encoded);
  if (place == PieceText::kNotFound) return std::nullopt;
  return pieces_.entry_of(place);
}

std::optional<std::size_t> UntrustedText::entry_of_address(std::string_view token) const {
  const std::uint64_t hash = hash_(token);
  std::optional<std::size_t> first;
  if (const auto number = find_token(token, hash); number && tokens_[*number].marked()) {
    first = pieces_.entry_of(tokens_[*number].place());
  }
  const auto place = find_word(token, hash);
  if (!place) return first;
  WordTokens in_word(min_length_);
  for (const TokenView& one : in_word.of(token, traits_of(token))) {
    if (!is_address(one.kind) || one.text != token) continue;
    const std::size_t entry = pieces_.entry_of(*place);
    return first ? std::min(*first, entry) : entry;
  }
  return first;
}

std::optional<UntrustedText::Needle> UntrustedText::first_needle_in(
    std::string_view lowered) const {
  return addresses_.first_in(
      lowered, [this](std::string_view address) { return entry_of_address(address); });
}

}  // namespace agentlock
