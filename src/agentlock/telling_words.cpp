#include "agentlock/telling_words.hpp"

// Which words have to be remembered? Those that hold a token, and those that hold a token
// of a parameter, which may be a piece of a word. By the rules of section 3 of
// agentlock-engine.md:
//
//   * Each token holds one of `._-/@:`, or a decimal digit, or has 12 characters. So has
//     each word around it. (A defanged host has its full stop as `(dot)`; markers are
//     looked for.)
//   * A token never begins with any of `"'()[]{}<>,;:!?`, and never ends with any of
//     `"'),;:!?`, so a word is the same for all tokens without those at its ends. Markers
//     hold brackets: a word with one is left as it is.
//   * A token shorter than `min_length` is a url: it has 4 characters at least, holds a
//     full stop, and does not end with one, nor with other punctuation.
//   * Lowercasing changes nothing in this, but for U+0130: words with it are kept as they
//     are.
//
// The walk looks at 64 bytes at once (byte_blocks.cpp): it goes from one space to the next
// by their bits, and passes by a word with no bit of a mark that is shorter than 12 bytes.
// Of prose, one word in five to seven is left, and looked at closely.

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/character_classes.hpp"
#include "agentlock/lowercase.hpp"

namespace agentlock {
namespace {

// The kinds of bytes.
constexpr unsigned kSpaceStart = 1;    // may begin a space that is not ASCII
constexpr unsigned kMark = 2;          // one of `._-/@:` or an ASCII digit
constexpr unsigned kDotOrAt = 4;       // also a mark
constexpr unsigned kDigitStart = 8;    // an ASCII digit, or may begin another
constexpr unsigned kBracket = 16;      // may begin a marker
constexpr unsigned kDottedStart = 32;  // may begin U+0130
constexpr unsigned kLong = 64;         // not ASCII
constexpr unsigned kAsciiDigit = 128;  // also a mark
constexpr unsigned kDash = 256;        // `-` or `/`, also a mark

constexpr std::size_t kLongWord = 12;
// No date is shorter, and a date can be longer as a token than as it is written.
constexpr std::size_t kShortestDate = 8;

constexpr std::string_view kNeverFirst = "\"'()[]{}<>,;:!?";
constexpr std::string_view kNeverLast = "\"'),;:!?";
constexpr std::string_view kNeverLastOfUrl = "/.,;:)!?\"'";

std::array<std::uint16_t, 256> byte_kinds() {
  std::array<std::uint16_t, 256> kinds{};
  const auto add = [&](unsigned byte, unsigned kind) {
    kinds[byte] = static_cast<std::uint16_t>(kinds[byte] | kind);
  };
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (byte >= 0x80) add(byte, kLong);
    if (kDigitStarts[byte]) add(byte, kDigitStart);
    if (is_ascii_digit(static_cast<char>(byte))) add(byte, kMark | kAsciiDigit);
  }
  for (const unsigned byte : {0xC2U, 0xE1U, 0xE2U, 0xE3U}) add(byte, kSpaceStart);
  for (const char mark : {'.', '_', '-', '/', '@', ':'})
    add(static_cast<unsigned char>(mark), kMark);
  for (const char mark : {'-', '/'}) add(static_cast<unsigned char>(mark), kDash);
  for (const char mark : {'.', '@'}) add(static_cast<unsigned char>(mark), kDotOrAt);
  for (const char bracket : {'[', '(', '{'}) add(static_cast<unsigned char>(bracket), kBracket);
  add(0xC4, kDottedStart);
  return kinds;
}

const std::array<std::uint16_t, 256> kKinds = byte_kinds();

unsigned kind_of(char byte) { return kKinds[static_cast<unsigned char>(byte)]; }

unsigned kinds_of(std::string_view word) {
  unsigned kinds = 0;
  for (const char byte : word) kinds |= kind_of(byte);
  return kinds;
}

bool holds_digit(std::string_view word) { return find_decimal_digit(word, 0) < word.size(); }

bool holds(std::string_view word, std::string_view part) {
  return word.find(part) != std::string_view::npos;
}

WordTraits traits_of(std::string_view word, unsigned kinds) {
  WordTraits traits;
  traits.dot_or_at = (kinds & kDotOrAt) != 0;
  traits.digit = (kinds & kAsciiDigit) != 0 || ((kinds & kDigitStart) != 0 && holds_digit(word));
  traits.dashed = (kinds & kDash) != 0;
  traits.marker = (kinds & kBracket) != 0 && holds_marker(word);
  traits.dotted_i = (kinds & kDottedStart) != 0 && holds(word, kDottedI);
  return traits;
}

std::string_view without_ends(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of(kNeverFirst), word.size()));
  return word.substr(0, word.find_last_not_of(kNeverLast) + 1);
}

bool may_hold_short_url(std::string_view word) {
  word = word.substr(0, word.find_last_not_of(kNeverLastOfUrl) + 1);
  return word.size() >= 4 && holds(word, ".");
}

}  // namespace

WordTraits traits_of(std::string_view word) { return traits_of(word, kinds_of(word)); }

bool TellingWords::next() {
  while (find_word()) {
    judge_word();
    if (!telling_.empty() || traits_.digit) return true;
  }
  return false;
}

void TellingWords::load(std::size_t begin) {
  const BlockMasks masks = masks_at(text_, begin);
  block_ = begin;
  left_ = ~std::uint64_t{0};
  spaces_ = masks.space | std::exchange(carried_, 0);
  marks_ = masks.mark;
  if (masks.lead != 0) look_at_long(masks.lead);
}

void TellingWords::look_at_long(std::uint64_t leads) {
  for (; leads != 0; leads &= leads - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(leads));
    const std::size_t at = block_ + bit;
    const unsigned kind = kind_of(text_[at]);
    if ((kind & (kDigitStart | kDottedStart)) != 0) marks_ |= std::uint64_t{1} << bit;
    if ((kind & kSpaceStart) == 0) continue;
    const CodePoint c = code_point_at(text_, at);
    if (!is_space(c.value)) continue;
    const std::uint64_t bytes = (std::uint64_t{1} << c.length) - 1;
    spaces_ |= bytes << bit;
    if (bit + c.length > 64) carried_ = bytes >> (64 - bit);
  }
}

bool TellingWords::find_word() {
  for (;;) {
    while ((left_ & ~spaces_) == 0) {
      if (block_ + 64 >= text_.size()) return false;
      load(block_ + 64);
    }
    const auto first = static_cast<unsigned>(std::countr_zero(left_ & ~spaces_));
    left_ &= ~std::uint64_t{0} << first;
    const std::size_t begin = block_ + first;
    std::uint64_t marks = 0;
    while ((left_ & spaces_) == 0) {
      marks |= left_ & marks_;
      load(block_ + 64);  // behind the text's end all are spaces
    }
    const std::uint64_t end = left_ & spaces_;
    marks |= left_ & marks_ & ((end & -end) - 1);
    const auto stop = static_cast<unsigned>(std::countr_zero(end));
    left_ &= ~std::uint64_t{0} << stop;
    range_ = {begin, block_ + stop};
    if (marks != 0 || range_.end - range_.begin >= kLongWord) return true;
  }
}

void TellingWords::judge_word() {
  const std::string_view word = piece(text_, range_);
  unsigned kinds = kinds_of(word);
  traits_ = traits_of(word, kinds);
  telling_ = word;
  if (traits_.marker || traits_.dotted_i) return;
  telling_ = without_ends(word);
  // A colon is a mark, and may be gone.
  if (telling_.size() < word.size() && (kinds & kMark) != 0) kinds = kinds_of(telling_);
  const bool tells =
      (kinds & kMark) != 0 || traits_.digit
          ? telling_.size() >= std::min(min_length_, kShortestDate) || may_hold_short_url(telling_)
          : telling_.size() >= kLongWord &&
                ((kinds & kLong) == 0 || has_code_points(telling_, kLongWord));
  if (!tells) telling_ = {};
}

}  // namespace agentlock
