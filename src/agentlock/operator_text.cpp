#include "agentlock/operator_text.hpp"

#include <algorithm>

#include "agentlock/character_classes.hpp"
#include "agentlock/page_fold.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/url_parts.hpp"
#include "agentlock/written_forms.hpp"

namespace agentlock {
namespace {

// What can stand inside a code, a number, a host or an address.
constexpr std::string_view kInside = "._-@/:'";
constexpr std::string_view kSigns = "-+@#";

bool is_part_of_word(std::string_view text, std::size_t at) {
  return at < text.size() && is_word_character(code_point_at(text, at).value);
}

bool ends_with_word(std::string_view text, std::size_t end) {
  return end > 0 && is_word_character(code_point_before(text, end).value);
}

bool is_unspaced_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_unspaced(code_point_at(text, at).value);
}

// Words of letters are the operator's wherever they stand as words; all else must be
// the whole of what the operator wrote there.
bool is_code(std::string_view part) {
  return std::ranges::any_of(
      part, [](char c) { return is_ascii_digit(c) || kInside.find(c) != kInside.npos; });
}

// "-500", "@all": a sign before a word, with nothing before the sign.
bool follows_sign(std::string_view text, std::size_t at) {
  if (at == 0 || kSigns.find(text[at - 1]) == kSigns.npos) return false;
  return at == 1 || !ends_with_word(text, at - 1);
}

bool begins_there(std::string_view text, std::size_t begin, bool code, std::string_view part) {
  if (begin == 0) return true;
  const CodePoint before = code_point_before(text, begin);
  const bool goes_on = is_part_of_word(part, 0) && is_word_character(before.value);
  if (goes_on) return is_unspaced(before.value) && is_unspaced_at(part, 0);
  if (before.value >= 0x80) return true;
  if (follows_sign(text, begin)) return false;
  const bool leads = begin == 1 || !ends_with_word(text, begin - 1);
  return !code || leads || kInside.find(static_cast<char>(before.value)) == kInside.npos;
}

bool ends_there(std::string_view text, std::size_t end, bool code, std::string_view part) {
  if (end == text.size()) return true;
  const CodePoint after = code_point_at(text, end);
  const bool goes_on = ends_with_word(part, part.size()) && is_word_character(after.value);
  if (goes_on) {
    return is_unspaced(after.value) && is_unspaced(code_point_before(part, part.size()).value);
  }
  if (!code || after.value >= 0x80) return true;
  // A full stop at the end of a sentence is no part of the code before it.
  return kInside.find(static_cast<char>(after.value)) == kInside.npos ||
         !is_part_of_word(text, end + 1);
}

}  // namespace

void OperatorText::add(std::string_view text, std::optional<std::chrono::year_month_day> today) {
  const std::string spelled = spelling(text);
  if (spelled.empty()) return;
  for (const TextRange range : words_of(spelled)) {
    const std::string_view word = piece(spelled, range);
    rows_ += row_form(word) + ' ';
    if (!is_letters(word) || follows_sign(spelled, range.begin)) continue;
    for (std::string& form : word_forms(word)) words_.insert(std::move(form));
  }
  rows_ += "\n ";
  for (const WrittenForm& written : written_forms(spelled, Side::kOperator, today)) {
    forms_.insert(written.forms.begin(), written.forms.end());
  }
  for (OperatorUrl& written : operator_urls(text)) {
    const UrlParts parts = parts_of(written.url);
    for (const auto* list : {&parts.path, &parts.keys, &parts.values, &parts.fragment}) {
      for (const std::string& part : *list) url_parts_.insert(spelling(part));
    }
    urls_.push_back(std::move(written));
  }
  (texts_ += spelled) += '\n';
}

bool OperatorText::stands(std::string_view part) const {
  if (part.empty()) return false;
  const bool code = is_code(part);
  const std::string_view text = texts_;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    if (begins_there(text, at, code, part) && ends_there(text, at + part.size(), code, part)) {
      return true;
    }
  }
  return false;
}

bool OperatorText::has_word(std::string_view word) const {
  if (!is_letters(word)) return false;
  if (words_.contains(word)) return true;
  return std::ranges::any_of(word_forms(word),
                             [&](const std::string& form) { return words_.contains(form); });
}

bool OperatorText::has_form(const std::vector<std::string>& forms) const {
  return std::ranges::any_of(forms, [&](const std::string& form) { return forms_.contains(form); });
}

bool OperatorText::has_url_part(std::string_view part) const {
  return url_parts_.contains(spelling(part));
}

bool OperatorText::has_row(std::string_view row_forms) const {
  const std::string_view rows = rows_;
  for (std::size_t at = rows.find(row_forms); at != rows.npos; at = rows.find(row_forms, at + 1)) {
    if (at == 0 || rows[at - 1] == ' ') return true;
  }
  return false;
}

}  // namespace agentlock
