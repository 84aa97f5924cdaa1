#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "agentlock/substring_index.hpp"

namespace agentlock {

/// What a piece of recorded text is, and so which tokens it stands for.
enum class PieceKind : char {
  kWord = ' ',      ///< a word in lowercase; its tokens are those found in it
  kToken = '\n',    ///< a token, whole
  kAddress = '\v',  ///< a token, whole, of kind url or email
  kPlain = '\t',    ///< a text that is searched for tokens and is or holds none of its own
};

/// The distinct words and tokens of all entries, one after the other in the order of the
/// log, each followed by one byte that says what it is. No piece holds a space, so no
/// token can be found across two of them.
class PieceText {
 public:
  static constexpr std::size_t kNotFound = SubstringIndex::kNotFound;

  /// What is appended from now on came with this entry. Entries only grow.
  void begin_entry(std::size_t entry) { starts_.push_back({text_.size(), entry}); }
  bool empty() const { return starts_.empty(); }
  std::size_t size() const { return text_.size(); }

  /// Its place. The piece holds no space and lies elsewhere.
  std::size_t append(std::string_view piece, PieceKind kind);

  /// Which kind of piece of this text begins at `place`, if one does.
  std::optional<PieceKind> kind_of(std::size_t place, std::string_view piece) const;
  std::string_view at(std::size_t place, std::size_t length) const {
    return text_.text().substr(place, length);
  }

  struct Piece {
    std::size_t place;
    std::string_view text;
    PieceKind kind;
  };
  /// The piece in which this place lies.
  Piece around(std::size_t place) const;

  /// The first place of `pattern` at or after `from`, or kNotFound.
  std::size_t find(std::string_view pattern, std::size_t from = 0) const {
    return text_.find(pattern, from);
  }
  /// False if no piece has these two bytes side by side.
  bool holds_pair(char first, char second) const { return (*pairs_)[pair(first, second)]; }

  /// With which entry the piece at a place came first, and where that entry's begin.
  std::size_t entry_of(std::size_t place) const { return start_of(place).entry; }
  std::size_t entry_begin(std::size_t place) const { return start_of(place).place; }

 private:
  struct Start {
    std::size_t place;
    std::size_t entry;
  };
  using Pairs = std::array<bool, 65536>;

  static std::size_t pair(char first, char second) {
    return static_cast<std::size_t>(static_cast<unsigned char>(first)) << 8U |
           static_cast<unsigned char>(second);
  }
  const Start& start_of(std::size_t place) const;

  SubstringIndex text_;
  std::vector<Start> starts_;
  std::unique_ptr<Pairs> pairs_ = std::make_unique<Pairs>();
};

}  // namespace agentlock
