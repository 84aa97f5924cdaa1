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
// Counted over English prose, this leaves one word in five to seven. The walk looks at
// each byte once, through a table; what costs more is done only for words that have a
// byte that asks for it.

#include <algorithm>
#include <array>

#include "agentlock/canonical_forms.hpp"
#include "agentlock/character_classes.hpp"
#include "agentlock/lowercase.hpp"

namespace agentlock {
namespace {

// The kinds of bytes.
constexpr unsigned kSpace = 1;         // an ASCII space
constexpr unsigned kSpaceStart = 2;    // may begin a longer one
constexpr unsigned kMark = 4;          // one of `._-/@:` or an ASCII digit
constexpr unsigned kDotOrAt = 8;       // also a mark
constexpr unsigned kDigitStart = 16;   // an ASCII digit, or may begin another
constexpr unsigned kBracket = 32;      // may begin a marker
constexpr unsigned kDottedStart = 64;  // may begin U+0130
constexpr unsigned kLong = 128;        // not ASCII

constexpr std::size_t kLongWord = 12;
// No date is shorter, and a date can be longer as a token than as it is written.
constexpr std::size_t kShortestDate = 8;

constexpr std::string_view kNeverFirst = "\"'()[]{}<>,;:!?";
constexpr std::string_view kNeverLast = "\"'),;:!?";
constexpr std::string_view kNeverLastOfUrl = "/.,;:)!?\"'";

std::array<std::uint8_t, 256> byte_kinds() {
  std::array<std::uint8_t, 256> kinds{};
  const auto add = [&](unsigned byte, unsigned kind) {
    kinds[byte] = static_cast<std::uint8_t>(kinds[byte] | kind);
  };
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (byte < 0x80 && is_space(byte)) add(byte, kSpace);
    if (byte >= 0x80) add(byte, kLong);
    if (kDigitStarts[byte]) add(byte, kDigitStart);
    if (is_ascii_digit(static_cast<char>(byte))) add(byte, kMark);
  }
  for (const unsigned byte : {0xC2U, 0xE1U, 0xE2U, 0xE3U}) add(byte, kSpaceStart);
  for (const char mark : {'.', '_', '-', '/', '@', ':'})
    add(static_cast<unsigned char>(mark), kMark);
  for (const char mark : {'.', '@'}) add(static_cast<unsigned char>(mark), kDotOrAt);
  for (const char bracket : {'[', '(', '{'}) add(static_cast<unsigned char>(bracket), kBracket);
  add(0xC4, kDottedStart);
  return kinds;
}

const std::array<std::uint8_t, 256> kKinds = byte_kinds();

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
  traits.digit = (kinds & kDigitStart) != 0 && holds_digit(word);
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

// Is there a space at `at`, whose byte may begin one? Its length, or 0.
std::size_t space_at(std::string_view text, std::size_t at) {
  const CodePoint c = code_point_at(text, at);
  return is_space(c.value) ? c.length : 0;
}

}  // namespace

WordTraits traits_of(std::string_view word) { return traits_of(word, kinds_of(word)); }

bool TellingWords::next() {
  while (at_ < text_.size()) {
    const std::size_t begin = at_;
    std::size_t space = 0;
    unsigned kinds = 0;
    for (; at_ < text_.size(); ++at_) {
      const unsigned kind = kind_of(text_[at_]);
      if ((kind & (kSpace | kSpaceStart)) != 0) {
        space = (kind & kSpace) != 0 ? 1 : space_at(text_, at_);
        if (space > 0) break;
      }
      kinds |= kind;
    }
    const std::size_t end = at_;
    at_ += space;
    constexpr unsigned kTelling = kMark | kDigitStart | kBracket | kDottedStart;
    if ((kinds & kTelling) == 0 && end - begin < kLongWord) continue;
    if (take(begin, end, kinds)) return true;
  }
  return false;
}

bool TellingWords::take(std::size_t begin, std::size_t end, unsigned kinds) {
  word_ = text_.substr(begin, end - begin);
  traits_ = traits_of(word_, kinds);
  if (traits_.marker || traits_.dotted_i) return true;
  if (const std::string_view whole = word_; true) {
    word_ = without_ends(whole);
    // A colon is a mark, and may be gone.
    if (word_.size() < whole.size() && (kinds & kMark) != 0) kinds = kinds_of(word_);
  }
  if ((kinds & kMark) == 0 && !traits_.digit) {
    return word_.size() >= kLongWord &&
           ((kinds & kLong) == 0 || count_code_points(word_) >= kLongWord);
  }
  return word_.size() >= std::min(min_length_, kShortestDate) || may_hold_short_url(word_);
}

}  // namespace agentlock
