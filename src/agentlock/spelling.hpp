#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"

namespace agentlock {

// How a value is compared with the operator's own text: strictly. What is only
// spelled otherwise is the same (gate.md, section 4); what only looks alike is not.

/// NFC, full case folding, one kind of dash and of quote, each run of white space as
/// one space and none at the ends. UTF-8; a malformed byte becomes U+FFFD.
std::string spelling(std::string_view text);

/// The words of a spelled text: runs of letters, digits and their marks.
std::vector<TextRange> words_of(std::string_view spelled);

/// Letters and marks alone, so that word forms may be compared (attacks.md F38).
bool is_letters(std::string_view word);

bool holds_digit(std::string_view text);

/// The letters without their marks.
std::string without_marks(std::string_view word);

/// What a word of letters is compared by besides itself: the word without marks, and
/// its Snowball stem in each of the languages, with the language in front. For all
/// other words, itself alone.
std::vector<std::string> word_forms(std::string_view word);

/// One form alone, for words in a row: the English stem without marks.
std::string row_form(std::string_view word);

}  // namespace agentlock
