#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"
#include "agentlock/token.hpp"

namespace agentlock {

/// The phones and amounts of a text, which can run over spaces, found while someone else
/// walks over its words: only those with digits need be shown.
class NumberTokens {
 public:
  NumberTokens(std::string_view text, std::size_t min_length)
      : text_(text), min_length_(min_length) {}

  /// Appends those that begin with a digit in this part of the text. No digit of a part
  /// that was not shown is the first one of any. Parts come in order.
  void find_in(TextRange part, std::vector<Token>& tokens);

 private:
  void keep(TokenKind kind, std::vector<Token>& tokens);

  std::string_view text_;
  std::size_t min_length_;
  std::size_t end_ = 0;         // of the last digits that were looked at
  std::size_t phone_end_ = 0;   // what is before it belongs to a number that was tried
  std::size_t amount_end_ = 0;  // likewise
  std::vector<std::string> found_;
};

}  // namespace agentlock
