#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"
#include "agentlock/operator_text.hpp"
#include "agentlock/written_forms.hpp"

namespace agentlock {

/// A word of a value between spaces, without the punctuation around it, and the parts
/// of it that the operator's text does not account for.
struct ValueChunk {
  TextRange range;
  std::vector<TextRange> uncovered;

  bool covered() const { return uncovered.empty(); }
};

/// Cuts the operator's parts out of a spelled value (attacks.md A3): what equals
/// something of the operator's, in one of its written forms, as a word, or as a name
/// made of such parts ("report_alice_2026-03-14.pdf"). Addresses and hosts are the
/// operator's as a whole or not at all. Chunks without any letter or digit that stand
/// between others join them and are left out. `forms`: the value's, as written_forms
/// gives them.
std::vector<ValueChunk> cover(std::string_view spelled, const std::vector<WrittenForm>& forms,
                              const OperatorText& operator_text);

/// The same part without the quotes and brackets around it and the punctuation that
/// ends a sentence; all other symbols count (attacks.md A45).
TextRange without_punctuation(std::string_view text, TextRange range);

}  // namespace agentlock
