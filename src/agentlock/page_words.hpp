#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/substring_index.hpp"

namespace agentlock {

/// The folded words of all page entries of a session, in the order of the log, ready
/// to be asked whether a phrase stands in one of them. Phrases are what fold_words
/// and fold_joined give. See page_words.cpp for the idea.
class PageWords {
 public:
  /// `entry` only grows from call to call.
  void add(std::size_t entry, std::string_view content);

  bool empty() const { return words_.starts.empty(); }

  /// The first entry in which the words stand next to each other; the first and the
  /// last may be parts of longer ones unless `whole_words`. Where a script has no
  /// spaces, there is no telling.
  std::optional<std::size_t> entry_with(std::string_view phrase, bool whole_words) const;

  /// The first entry in which the characters stand next to each other within a code:
  /// words that only punctuation parts, or groups with digits.
  std::optional<std::size_t> entry_with_joined(std::string_view joined) const;

  /// Whether the words stand in an entry for which `is_meant(entry)` is true. Reads
  /// all text of those entries.
  bool stands_in(std::string_view phrase, const std::function<bool(std::size_t)>& is_meant) const;

 private:
  struct Start {
    std::size_t offset;
    std::size_t entry;
  };
  struct Stream {
    SubstringIndex text;
    std::vector<Start> starts;

    void begin(std::size_t entry) { starts.push_back({text.size(), entry}); }
    std::optional<std::size_t> entry_holding(std::string_view pattern) const;
  };

  Stream words_;  // "\n one two three \n ..."
  Stream codes_;  // codes without what parts them, and what was written encoded
};

}  // namespace agentlock
