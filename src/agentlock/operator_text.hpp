#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "agentlock/operator_urls.hpp"

namespace agentlock {

/// All that the operator said, ready to be asked whether a part of a value is the
/// operator's. A part is the operator's only if it equals something there, never
/// because it is a piece of it (gate.md, section 4, "Equal, not contained").
class OperatorText {
 public:
  /// `today`: the operator's day when it was said, for "tomorrow" and the like.
  void add(std::string_view text, std::optional<std::chrono::year_month_day> today);

  bool empty() const { return texts_.empty(); }

  /// Whether a spelled part stands in one of the texts and ends where something ends
  /// there: no letter or digit goes on, and beside a code, a number or an address
  /// nothing that belongs to one (attacks.md A4, A45).
  bool stands(std::string_view part) const;

  /// A word of letters in this form, with other marks or with another ending.
  bool has_word(std::string_view word) const;

  /// One of the forms that written_forms gives.
  bool has_form(const std::vector<std::string>& forms) const;

  /// Words next to each other: their row forms, each with a space behind it.
  bool has_row(std::string_view row_forms) const;

  const std::vector<OperatorUrl>& urls() const { return urls_; }

  /// A part of one of the addresses, as parts_of gives it.
  bool has_url_part(std::string_view part) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Set = std::unordered_set<std::string, Hash, std::equal_to<>>;

  std::string texts_;  // spelled, a line each
  std::string rows_;   // row forms of the words, a line each
  Set words_;          // of letters, with their forms
  Set forms_;
  Set url_parts_;  // spelled
  std::vector<OperatorUrl> urls_;
};

}  // namespace agentlock
