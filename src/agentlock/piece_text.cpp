#include "agentlock/piece_text.hpp"

#include <algorithm>
#include <iterator>

namespace agentlock {
namespace {

bool ends_piece(char c) { return c == ' ' || (c >= '\t' && c <= '\v'); }

}  // namespace

std::size_t PieceText::append(std::string_view piece, PieceKind kind) {
  const std::size_t place = text_.size();
  text_.append(piece);
  const char end = static_cast<char>(kind);
  text_.append({&end, 1});
  bool* const pairs = pairs_->data();
  for (std::size_t i = 1; i < piece.size(); ++i) pairs[pair(piece[i - 1], piece[i])] = true;
  return place;
}

std::optional<PieceKind> PieceText::kind_of(std::size_t place, std::string_view piece) const {
  const std::string_view there = text_.text().substr(place);
  if (there.size() <= piece.size() || !there.starts_with(piece)) return std::nullopt;
  const char end = there[piece.size()];
  if (!ends_piece(end)) return std::nullopt;
  return static_cast<PieceKind>(end);
}

PieceText::Piece PieceText::around(std::size_t place) const {
  const std::string_view text = text_.text();
  std::size_t begin = place;
  while (begin > 0 && !ends_piece(text[begin - 1])) --begin;
  std::size_t end = place;
  while (!ends_piece(text[end])) ++end;
  return {begin, text.substr(begin, end - begin), static_cast<PieceKind>(text[end])};
}

const PieceText::Start& PieceText::start_of(std::size_t place) const {
  // Entries without a piece of their own share a start with the one after them, which is
  // the one that the place belongs to: the last start at or before it.
  return *std::prev(std::ranges::upper_bound(starts_, place, {}, &Start::place));
}

}  // namespace agentlock
