#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "agentlock/lineage.hpp"
#include "agentlock/substring_index.hpp"
#include "agentlock/untrusted_text.hpp"

namespace agentlock {

/// What the checks know of the recorded entries.
struct LineageIndex::State {
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

  explicit State(std::size_t min) : min_length(min), untrusted(min) {}

  /// Whether the operator's text, in lowercase and with its canonical tokens, holds
  /// `lowered` as a substring.
  bool clears(std::string_view lowered) const {
    return authoritative_text.find(lowered) != SubstringIndex::kNotFound;
  }

  std::size_t min_length;
  std::size_t entries = 0;
  SubstringIndex authoritative_text;
  TextSet authoritative_tokens;
  UntrustedText untrusted;
};

}  // namespace agentlock
