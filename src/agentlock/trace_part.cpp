#include "agentlock/trace_part.hpp"

#include <algorithm>
#include <utility>

#include "agentlock/ledger.hpp"
#include "agentlock/operator_text.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/value_cover.hpp"
#include "agentlock/written_forms.hpp"

// First the operator's parts are cut out of the value. What is left is looked for in
// what pages said: distinctive parts anywhere, plain words as rows. The worst answer
// wins: PAGE, then MODEL, then UNCLASSIFIED, then USER (attacks.md A3).

namespace agentlock {
namespace {

// From this many words on a value is free text, which shares rows of two words with
// any page (attacks.md F43).
constexpr std::size_t kFreeText = 8;
// The shortest row of words, in characters.
constexpr std::size_t kMinRow = 4;
constexpr std::size_t kMinUnspacedRow = 2;
constexpr std::string_view kDate = "date:";

Traced from_page(PageFind find) {
  return {Channel::kPage, find.rule, find.matched, std::move(find)};
}

class Part {
 public:
  Part(const Ledger& ledger, const PartSearch& search, std::string_view value)
      : operator_text_(ledger.operator_text()),
        search_(search),
        value_(value),
        spelled_(spelling(value)) {}

  Traced trace() {
    if (spelled_.empty()) return {Channel::kUser, "empty", "", {}};
    const TextRange inner = without_punctuation(spelled_, {0, spelled_.size()});
    if (operator_text_.stands(spelled_) || operator_text_.stands(piece(spelled_, inner))) {
      return {Channel::kUser, "operator_phrase", "", {}};
    }
    words_ = words_of(spelled_);
    if (words_.empty()) return trace_symbols();
    forms_ = written_forms(spelled_, Side::kValue, std::nullopt);
    for (ValueChunk& chunk : cover(spelled_, forms_, operator_text_)) {
      if (!chunk.covered()) uncovered_.push_back(std::move(chunk));
    }
    if (auto found = find_distinctive()) return from_page(*std::move(found));
    if (auto found = find_row()) return from_page(*std::move(found));
    if (uncovered_.empty()) return {Channel::kUser, "operator_parts", "", {}};
    if (auto found = find_whole()) return from_page(*std::move(found));
    if (auto found = search_.tokens.find_decoded(value_)) return from_page(*std::move(found));
    if (!novel_.empty()) return {Channel::kModel, "novel_token", novel_, {}};
    return {Channel::kUnclassified,
            "unclassified",
            std::string(piece(spelled_, uncovered_.front().range)),
            {}};
  }

 private:
  // No words: the whole string, exactly (attacks.md A45).
  Traced trace_symbols() const {
    for (const std::string_view text : {value_, std::string_view(spelled_)}) {
      if (auto found = search_.tokens.find_symbols(text)) return from_page(*std::move(found));
    }
    return {Channel::kUnclassified, "unclassified", spelled_, {}};
  }

  bool is_uncovered(TextRange range) const {
    const auto overlaps = [&](const ValueChunk& chunk) {
      return chunk.range.begin < range.end && range.begin < chunk.range.end;
    };
    return std::ranges::any_of(uncovered_, overlaps);
  }

  // Of the chunks that are not the operator's, those with a distinctive token: each
  // comes from a page, or the model made it up.
  std::optional<PageFind> find_distinctive() {
    for (const ValueChunk& chunk : uncovered_) {
      const std::string_view text = piece(spelled_, chunk.range);
      if (!is_distinctive(text)) continue;
      if (auto found = search_.tokens.find_token(text)) return found;
      for (const TextRange part : chunk.uncovered) {
        if (!is_distinctive(piece(spelled_, part))) continue;
        if (auto found = search_.tokens.find_token(piece(spelled_, part))) return found;
      }
      if (novel_.empty()) novel_ = text;
    }
    return find_written();
  }

  // Dates, numbers and codes in another form than the page's, or over several chunks.
  std::optional<PageFind> find_written() {
    for (const WrittenForm& written : forms_) {
      if (!is_uncovered(written.range) || operator_text_.has_form(written.forms)) continue;
      const std::string_view text = piece(spelled_, written.range);
      if (auto found = search_.tokens.find_joined(fold_joined(text), "page_code")) return found;
      for (const std::string& form : written.forms) {
        if (!form.starts_with(kDate)) continue;
        const std::string date = fold_words(form.substr(kDate.size()));
        if (auto found = search_.tokens.find_phrase(date, "page_date")) return found;
      }
      if (novel_.empty() && is_distinctive(text) && !holds_known_date(written.range)) novel_ = text;
    }
    return std::nullopt;
  }

  // What looks like a long number can be the operator's date and something else.
  bool holds_known_date(TextRange range) const {
    return std::ranges::any_of(forms_, [&](const WrittenForm& written) {
      return written.range.begin >= range.begin && written.range.end <= range.end &&
             written.forms.front().starts_with(kDate) && operator_text_.has_form(written.forms);
    });
  }

  bool is_long_enough(std::string_view row) const {
    std::size_t characters = 0;
    for (std::size_t at = 0; at < row.size(); at += code_point_at(row, at).length) {
      if (row[at] != ' ') ++characters;
    }
    return characters >= (is_unspaced(code_point_at(row, 0).value) ? kMinUnspacedRow : kMinRow);
  }

  // Words next to each other that stand so in a page and not in the operator's text,
  // also where each of them is the operator's (attacks.md A44).
  std::optional<PageFind> find_row() const {
    const std::size_t shortest = words_.size() < kFreeText ? 2 : 3;
    std::vector<std::string> folded;
    std::vector<std::string> forms;
    for (const TextRange word : words_) {
      folded.push_back(fold_words(piece(spelled_, word)));
      forms.push_back(row_form(piece(spelled_, word)) + ' ');
    }
    // The operator's longest row from each word on; what is one word longer is not the
    // operator's, and if no page says that, no page says more.
    std::size_t end = 0;
    std::string row;
    for (std::size_t begin = 0; begin + shortest <= words_.size(); ++begin) {
      if (end < begin) end = begin;
      while (end < words_.size() && operator_text_.has_row(row + forms[end])) row += forms[end++];
      const std::size_t stop = std::max(end + 1, begin + shortest);
      if (stop > words_.size()) break;
      std::string phrase;
      for (std::size_t i = begin; i < stop; ++i) {
        if (!phrase.empty() && !folded[i].empty()) phrase += ' ';
        phrase += folded[i];
      }
      const TextRange range{words_[begin].begin, words_[stop - 1].end};
      if (!phrase.empty() && is_long_enough(phrase) && !is_written_form(range)) {
        if (auto found = search_.words.find_phrase(phrase, "page_words")) return found;
      }
      if (end > begin) row.erase(0, forms[begin].size());
    }
    return std::nullopt;
  }

  // The operator's date in another order shares a row of numbers with other dates.
  bool is_written_form(TextRange range) const {
    return std::ranges::any_of(forms_, [&](const WrittenForm& written) {
      return written.range.begin <= range.begin && range.end <= written.range.end &&
             operator_text_.has_form(written.forms);
    });
  }

  std::optional<PageFind> find_whole() const {
    const std::string phrase = fold_words(spelled_);
    if (phrase.empty() || !is_long_enough(phrase)) return std::nullopt;
    if (!search_.single_words && phrase.find(' ') == std::string::npos) return std::nullopt;
    // A part with a digit is data, and the site's own words are none.
    const bool plain = !holds_digit(spelled_);
    return (plain ? search_.words : search_.tokens).find_phrase(phrase, "page_whole_value");
  }

  const OperatorText& operator_text_;
  const PartSearch& search_;
  std::string_view value_;
  std::string spelled_;
  std::vector<TextRange> words_;
  std::vector<WrittenForm> forms_;
  std::vector<ValueChunk> uncovered_;
  std::string novel_;
};

}  // namespace

Traced trace_part(const Ledger& ledger, const PartSearch& search, std::string_view value) {
  return Part(ledger, search, value).trace();
}

}  // namespace agentlock
