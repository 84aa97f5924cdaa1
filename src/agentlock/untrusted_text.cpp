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
// themselves, of the canonical forms, and of the tokens that lie in words.
//
// Cost: recording is linear in the text; a question about a token is the substring
// index's.

#include <algorithm>

#include "agentlock/encoded_search.hpp"
#include "agentlock/lineage.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/number_tokens.hpp"
#include "agentlock/percent_form.hpp"
#include "agentlock/telling_words.hpp"
#include "agentlock/token_word.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMaxKept = 4096;

bool is_address(TokenKind kind) { return kind == TokenKind::kUrl || kind == TokenKind::kEmail; }

// Whether a word is, whole, one of its own addresses.
bool is_whole_address(std::string_view word) {
  WordTokens tokens(LineageIndex::kDefaultMinLength);  // does not matter to addresses
  return std::ranges::any_of(tokens.of(word, traits_of(word)), [&](const TokenView& token) {
    return is_address(token.kind) && token.text == word;
  });
}

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
  // What a word of a megabyte needed is not kept for the next one.
  if (lowered_.capacity() > kMaxKept) lowered_ = {};
}

void UntrustedText::add_word(std::string_view lowered, const WordTraits& traits) {
  const std::uint64_t hash = hash_(lowered);
  if (known_piece(lowered, hash).word) return;
  const std::size_t place = pieces_.append(lowered, PieceKind::kWord);
  piece_index_.insert(hash, place);
  const char* const end = lowered.data() + lowered.size();
  bool is_token = false;
  for (const TokenView& token : word_tokens_.of(lowered, traits)) {
    if (token.text.data() < lowered.data() || token.text.data() >= end) {
      add_form(token);
    } else if (token.text.size() < lowered.size()) {
      add_inner(token, place + static_cast<std::size_t>(token.text.data() - lowered.data()));
    } else {
      is_token = true;
      if (is_address(token.kind)) addresses_.add(Span(place, lowered.size()));
    }
  }
  if (is_token) add_ambiguous_form(lowered);
}

void UntrustedText::add_written_word(std::string_view word) {
  lowered_.clear();
  append_lowercase(word, lowered_);
  pieces_.append(lowered_, PieceKind::kPlain);
  for (const TokenView& token : word_tokens_.of_written(word)) add_form(token);
}

void UntrustedText::add_form(const TokenView& token) {
  const std::uint64_t hash = hash_(token.text);
  const Known known = known_piece(token.text, hash);
  const auto inner = find_inner(token.text, hash);
  if (is_address(token.kind)) {
    if (known.address || (inner && inner_[*inner].marked())) return;
  } else if (inner || is_token(token.text, known)) {
    return;
  }
  const PieceKind kind = is_address(token.kind) ? PieceKind::kAddress : PieceKind::kToken;
  const std::size_t place = pieces_.append(token.text, kind);
  piece_index_.insert(hash, place);
  add_ambiguous_form(token.text);
  if (is_address(token.kind)) addresses_.add(Span(place, token.text.size()));
}

void UntrustedText::add_inner(const TokenView& token, std::size_t place) {
  const std::uint64_t hash = hash_(token.text);
  const Known known = known_piece(token.text, hash);
  auto number = find_inner(token.text, hash);
  if (is_address(token.kind)) {
    if (known.address || (number && inner_[*number].marked())) return;
  } else if (number || is_token(token.text, known)) {
    return;
  }
  Span span(place, token.text.size());
  if (is_address(token.kind)) {
    span.mark();
    addresses_.add(span);
  }
  add_ambiguous_form(token.text);
  if (number) {
    // From here on it tells the first entry in which the token is an address.
    inner_[*number] = span;
  } else {
    inner_index_.insert(hash, inner_.size());
    inner_.push_back(span);
  }
}

void UntrustedText::add_ambiguous_form(std::string_view token) {
  if (!is_percent_ambiguous(token)) return;
  const std::string form = encode(token, Encoding::kPercent);
  if (has_code_points(form, kMinEncodedLength)) pieces_.append(form, PieceKind::kPlain);
}

UntrustedText::Known UntrustedText::known_piece(std::string_view text, std::uint64_t hash) const {
  Known known;
  const auto look = [&](std::uint64_t place) {
    const auto kind = pieces_.kind_of(place, text);
    if (kind == PieceKind::kWord) known.word = place;
    if (kind == PieceKind::kToken) known.token = place;
    if (kind == PieceKind::kAddress) known.address = place;
    return false;  // there may be another one
  };
  static_cast<void>(piece_index_.find(hash, look));
  return known;
}

bool UntrustedText::is_token(std::string_view text, const Known& known) const {
  if (known.token || known.address) return true;
  return known.word && (canonical_word(text, min_length_) == text || is_whole_address(text));
}

std::optional<std::uint64_t> UntrustedText::find_inner(std::string_view token,
                                                       std::uint64_t hash) const {
  return inner_index_.find(hash, [&](std::uint64_t number) {
    const Span span = inner_[number];
    return span.length() == token.size() && pieces_.at(span.place(), span.length()) == token;
  });
}

bool UntrustedText::has_token(std::string_view token) const {
  const std::uint64_t hash = hash_(token);
  return find_inner(token, hash) || is_token(token, known_piece(token, hash));
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
  const auto take = [&](std::size_t place) {
    const std::size_t entry = pieces_.entry_of(place);
    first = first ? std::min(*first, entry) : entry;
  };
  if (const auto number = find_inner(token, hash); number && inner_[*number].marked()) {
    take(inner_[*number].place());
  }
  const Known known = known_piece(token, hash);
  if (known.address) take(*known.address);
  if (known.word && is_whole_address(token)) take(*known.word);
  return first;
}

std::optional<UntrustedText::Needle> UntrustedText::first_needle_in(
    std::string_view lowered) const {
  return addresses_.first_in(
      lowered, [this](std::string_view address) { return entry_of_address(address); });
}

}  // namespace agentlock
