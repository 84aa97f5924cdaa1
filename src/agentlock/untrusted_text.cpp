#include "agentlock/untrusted_text.hpp"

// The published engine joins, at each decision and for each untrusted entry, its
// lowercase text, its canonical tokens and the encodings of all its tokens, and
// searches the result. The same answers come from far less, because no token holds a
// space:
//
//   * A token that stands in an entry stands within one word of it (or within one
//     canonical token, or one encoding). So the text is kept as its distinct words,
//     each where it came first, followed by the distinct canonical tokens and
//     encodings that came with it, all parted by spaces. Entries follow each other in
//     the order of the log, so the first place of a token lies in the first entry that
//     holds it, and a word that came before can't change any answer.
//   * E-mails, urls, plain words, dates and defanged hosts lie within one word too:
//     only words that are new are searched for them. Phones and amounts can run over
//     spaces and are searched for in the whole text.
//
// Direction A asks the other way round: which encoded form of a url or e-mail of ours
// stands in a parameter? The forms are not stored. Their hashes are, and those of
// their first ten bytes: at each place of the parameter the ten bytes there are looked
// up, and only where some form begins so, the hashes of the lengths that occur. A hit
// is made again from its token and compared.
//
// Cost: recording is linear in the text; a question about a token is the substring
// index's; direction A is linear in the parameter unless it is full of beginnings of
// encoded forms, and then at worst multiplied by the number of their lengths.

#include <algorithm>
#include <array>
#include <utility>

namespace agentlock {
namespace {

constexpr std::array kStored = {Encoding::kBase64, Encoding::kHex, Encoding::kPercent};
constexpr std::array kNeedles = {Encoding::kBase64,    Encoding::kHex,       Encoding::kPercent,
                                 Encoding::kInterior0, Encoding::kInterior1, Encoding::kInterior2};
constexpr std::uint32_t kEncodings = 8;  // a power of two with room for all

}  // namespace

void UntrustedText::add(std::size_t entry, std::string_view content) {
  starts_.push_back({text_.size(), entry});
  LoweredText text(content);
  std::size_t begin = skip_spaces(content, 0);
  while (begin < content.size()) {
    const TextRange word{begin, find_space(content, begin)};
    begin = skip_spaces(content, word.end);
    Piece& piece = remember(text.lowered(word));
    // U+0130 is a letter of the grammars and its lowercase is not, so of two words with
    // the same lowercase it can be that only one holds an address. A text with it is
    // never aligned.
    if (text.is_aligned() && std::exchange(piece.is_searched, true)) continue;
    found_.clear();
    append_word_tokens(text, word, min_length_, found_);
    for (const TokenView& token : found_) add_token(token);
  }
  found_.clear();
  append_number_tokens(text, min_length_, found_);
  for (const TokenView& token : found_) add_token(token);
}

std::optional<std::uint32_t> UntrustedText::find_piece(std::string_view text,
                                                       std::uint64_t hash) const {
  return piece_index_.find(hash,
                           [&](std::uint32_t piece) { return text_of(pieces_[piece]) == text; });
}

UntrustedText::Piece& UntrustedText::remember(std::string_view text) {
  const std::uint64_t hash = piece_hash_(text);
  if (const auto known = find_piece(text, hash)) return pieces_[*known];
  piece_index_.insert(hash, static_cast<std::uint32_t>(pieces_.size()));
  pieces_.push_back({text_.size(), static_cast<std::uint32_t>(text.size())});
  text_.append(text);
  text_.append(" ");
  return pieces_.back();
}

void UntrustedText::add_token(const TokenView& token) {
  Piece& piece = remember(token.text);
  if (!std::exchange(piece.is_token, true)) add_encodings(token.text);
  const bool is_address = token.kind == TokenKind::kUrl || token.kind == TokenKind::kEmail;
  if (is_address && !std::exchange(piece.has_needles, true)) add_needles(piece);
}

void UntrustedText::add_encodings(std::string_view token) {
  for (const Encoding encoding : kStored) {
    const std::string encoded = encode(token, encoding);
    if (count_code_points(encoded) < kMinEncodedLength || encoded == token) continue;
    text_.append(encoded);
    text_.append(" ");
  }
}

void UntrustedText::add_needles(const Piece& piece) {
  const auto source = static_cast<std::uint32_t>(needle_sources_.size());
  needle_sources_.push_back({static_cast<std::uint32_t>(&piece - pieces_.data()),
                             static_cast<std::uint32_t>(starts_.size() - 1)});
  const std::string_view token = text_of(piece);
  for (const Encoding encoding : kNeedles) {
    const std::string needle = encode(token, encoding);
    if (!is_needle(needle, encoding)) continue;
    const std::uint64_t hash = window_hash_(needle);
    const auto same = [&](std::uint32_t number) { return needle_text(number) == needle; };
    if (needle_index_.find(hash, same)) continue;
    needle_index_.insert(hash, source * kEncodings + static_cast<std::uint32_t>(encoding));
    needle_lengths_.insert(needle.size());
    const std::uint64_t start = window_hash_(std::string_view(needle).substr(0, kMinNeedleBytes));
    const auto any = [](std::uint32_t) { return true; };
    if (!needle_starts_.find(start, any)) needle_starts_.insert(start, 0);
  }
}

std::string_view UntrustedText::text_of(const Piece& piece) const {
  return text_.text().substr(piece.offset, piece.length);
}

std::string UntrustedText::needle_text(std::uint32_t number) const {
  const NeedleSource& source = needle_sources_[number / kEncodings];
  return encode(text_of(pieces_[source.piece]), static_cast<Encoding>(number % kEncodings));
}

std::size_t UntrustedText::needle_entry(std::uint32_t number) const {
  return starts_[needle_sources_[number / kEncodings].start].entry;
}

std::optional<std::size_t> UntrustedText::entry_holding(std::string_view token) const {
  const std::size_t place = text_.find(token);
  if (place == SubstringIndex::kNotFound) return std::nullopt;
  // Entries without a piece of their own share a start with the one after them, which
  // is the one that the place belongs to: the last start at or before it.
  const auto after = std::ranges::upper_bound(starts_, place, {}, &Start::offset);
  return std::prev(after)->entry;
}

bool UntrustedText::has_token(std::string_view token) const {
  const auto piece = find_piece(token, piece_hash_(token));
  return piece && pieces_[*piece].is_token;
}

std::optional<UntrustedText::Needle> UntrustedText::first_needle_in(
    std::string_view lowered) const {
  std::optional<Needle> first;
  if (lowered.size() < kMinNeedleBytes || needle_index_.size() == 0) return first;
  const WindowHash::Windows windows(window_hash_, lowered);
  for (std::size_t at = 0; at + kMinNeedleBytes <= lowered.size(); ++at) {
    const auto any = [](std::uint32_t) { return true; };
    if (!needle_starts_.find(windows(at, kMinNeedleBytes), any)) continue;
    for (const std::size_t length : needle_lengths_) {
      if (at + length > lowered.size()) break;
      const std::string_view there = lowered.substr(at, length);
      const auto same = [&](std::uint32_t number) { return needle_text(number) == there; };
      const auto number = needle_index_.find(windows(at, length), same);
      if (!number) continue;
      Needle needle{needle_entry(*number), std::string(there)};
      if (!first || needle < *first) first = std::move(needle);
    }
  }
  return first;
}

}  // namespace agentlock
