#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "agentlock/character_classes.hpp"

namespace agentlock {

/// Full Unicode lowercase, no language, with the final-sigma rule; not case folding.
/// Source: agentlock-engine.md, section 2.
std::string lowercase(std::string_view text);

/// A text beside its lowercase. Tokens are found in the original (its letters decide
/// what an address is) and compared in lowercase; in nearly every text the two lie
/// at the same bytes, so a token costs no copy. The original must outlive it.
class LoweredText {
 public:
  explicit LoweredText(std::string_view original);

  std::string_view original() const { return original_; }
  std::string_view lowered() const { return lowered_; }
  /// Each character takes as many bytes in lowercase as in the original.
  bool is_aligned() const { return aligned_; }

  /// The lowercase of a piece of the original; it lives as long as this object.
  /// The piece is a match of one of the grammars or bounded by spaces, so what
  /// stands around it never decides the form of its sigmas.
  std::string_view lowered(TextRange range);

  /// Keeps a text that is no piece of the original as long as this object lives.
  std::string_view keep(std::string text);

 private:
  std::string_view original_;
  std::string lowered_;
  bool aligned_;
  std::deque<std::string> kept_;
};

}  // namespace agentlock
