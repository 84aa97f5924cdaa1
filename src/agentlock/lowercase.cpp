#include "agentlock/lowercase.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/edits.h>
#include <unicode/stringpiece.h>

namespace agentlock {
namespace {

struct Lowered {
  std::string text;
  bool aligned;  // each character takes as many bytes as before
};

bool is_all_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

bool same_lengths(const icu::Edits& edits) {
  UErrorCode status = U_ZERO_ERROR;
  auto changes = edits.getFineChangesIterator();
  while (changes.next(status)) {
    if (changes.oldLength() != changes.newLength()) return false;
  }
  return true;
}

Lowered lower(std::string_view text) {
  if (is_all_ascii(text)) {
    std::string lowered(text);
    for (char& c : lowered) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    return {std::move(lowered), true};
  }
  std::string lowered;
  lowered.reserve(text.size());
  icu::StringByteSink<std::string> sink(&lowered);
  icu::Edits edits;
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                            sink, &edits, status);
  const bool aligned = lowered.size() == text.size() && same_lengths(edits);
  return {std::move(lowered), aligned};
}

}  // namespace

std::string lowercase(std::string_view text) { return lower(text).text; }

LoweredText::LoweredText(std::string_view original) : original_(original) {
  Lowered result = lower(original);
  lowered_ = std::move(result.text);
  aligned_ = result.aligned;
}

std::string_view LoweredText::lowered(TextRange range) {
  if (aligned_) return piece(lowered_, range);
  return keep(lowercase(piece(original_, range)));
}

std::string_view LoweredText::keep(std::string text) { return kept_.emplace_back(std::move(text)); }

}  // namespace agentlock
