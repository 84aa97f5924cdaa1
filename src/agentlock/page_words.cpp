#include "agentlock/page_words.hpp"

// The text of each entry is kept as its folded words with a space around each, so a
// phrase of whole words is one substring search, whatever stood between the words. A
// code that a page shows as KX-4471-91 or KX 4471 91 and that a value holds in one
// piece is found in a second text: words that only punctuation parts, and groups
// that hold digits, joined. There also stands what a page writes in percent form or
// base64, decoded.
//
// Cost: recording is linear in the text; a search is the substring index's.

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "agentlock/character_classes.hpp"
#include "agentlock/decodings.hpp"
#include "agentlock/page_fold.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMinJoined = 6;

// Appends the words of an entry as they come, and what makes up a code.
class Words {
 public:
  Words(std::string& words, std::string& codes) : words_(words), codes_(codes) { begin_word(); }

  void add(std::string_view content) {
    for (std::size_t at = 0; at < content.size();) {
      if (is_ascii(content[at])) {
        at = add_ascii(content, at);
        continue;
      }
      const CodePoint c = code_point_at(content, at);
      at += c.length;
      add_character(c.value);
    }
    end_word();
    end_code();
  }

 private:
  struct Ascii {
    bool word = false;
    bool digit = false;
    bool space = false;
    unsigned char length = 0;
    std::array<char, 4> text{};
  };

  static const std::array<Ascii, 128>& ascii() {
    static const std::array<Ascii, 128> table = [] {
      std::array<Ascii, 128> made{};
      for (char32_t c = 0; c < made.size(); ++c) {
        const FoldedCharacter folded = fold_character(c);
        Ascii& entry = made[c];
        entry.word = folded.kind == FoldedCharacter::Kind::kWord;
        entry.digit = is_decimal_digit(c);
        entry.space = is_space(c);
        entry.length = static_cast<unsigned char>(folded.text.copy(entry.text.data(), 4));
      }
      return made;
    }();
    return table;
  }

  // The ASCII characters at `at` that are of one kind; returns the place behind them.
  std::size_t add_ascii(std::string_view content, std::size_t at) {
    std::array<char, 256> run;
    std::size_t length = 0;
    bool digit = false;
    while (at < content.size() && length + 4 <= run.size() && is_ascii(content[at])) {
      const Ascii& entry = ascii_[static_cast<unsigned char>(content[at])];
      if (!entry.word) break;
      std::memcpy(run.data() + length, entry.text.data(), entry.text.size());
      length += entry.length;
      digit = digit || entry.digit;
      ++at;
    }
    if (length > 0) {
      words_.append(run.data(), length);
      has_digit_ = has_digit_ || digit;
      return at;
    }
    end_word();
    after_space_ = after_space_ || ascii_[static_cast<unsigned char>(content[at])].space;
    return at + 1;
  }

  void add_character(char32_t c) {
    const FoldedCharacter character = fold_character(c);
    if (character.kind == FoldedCharacter::Kind::kNothing) return;
    if (character.kind == FoldedCharacter::Kind::kSeparator) {
      end_word();
      after_space_ = after_space_ || is_space(c);
      return;
    }
    has_digit_ = has_digit_ || is_decimal_digit(c);
    for (const char byte : character.text) {
      if (byte == ' ') {
        end_word();
      } else {
        words_ += byte;
      }
    }
  }

  void begin_word() {
    word_begin_ = words_.size();
    has_digit_ = false;
    after_space_ = false;
  }

  // A word goes on with the code before it if only punctuation is between them, or if
  // both hold digits.
  void end_word() {
    if (words_.size() == word_begin_) return;
    if (after_space_ && !(has_digit_ && last_has_digit_)) end_code();
    if (count_++ == 0) code_begin_ = word_begin_;
    last_has_digit_ = has_digit_;
    words_ += ' ';
    begin_word();
  }

  void end_code() {
    const std::string_view code =
        std::string_view(words_).substr(code_begin_, word_begin_ - code_begin_);
    if (count_ > 1 && code.size() - count_ >= kMinJoined) {
      std::ranges::copy_if(code, std::back_inserter(codes_), [](char c) { return c != ' '; });
      codes_ += ' ';
    }
    count_ = 0;
  }

  const std::array<Ascii, 128>& ascii_ = ascii();
  std::string& words_;
  std::string& codes_;
  std::size_t word_begin_ = 0;
  bool has_digit_ = false;
  bool after_space_ = false;
  std::size_t code_begin_ = 0;
  std::size_t count_ = 0;  // words of the code so far
  bool last_has_digit_ = false;
};

}  // namespace

std::optional<std::size_t> PageWords::Stream::entry_holding(std::string_view pattern) const {
  const std::size_t place = text.find(pattern);
  if (place == SubstringIndex::kNotFound) return std::nullopt;
  return std::prev(std::ranges::upper_bound(starts, place, {}, &Start::offset))->entry;
}

void PageWords::add(std::size_t entry, std::string_view content) {
  words_.begin(entry);
  codes_.begin(entry);
  std::string words = "\n ";
  words.reserve(content.size() + content.size() / 8 + 16);
  std::string codes = "\n ";
  Words(words, codes).add(content);
  words_.text.append(words);
  codes_.text.append(codes);
  for (const std::string& plain : encoded_pieces(content)) {
    codes_.text.append(" " + fold_words(plain) + " ");
  }
}

std::optional<std::size_t> PageWords::entry_with(std::string_view phrase, bool whole_words) const {
  if (phrase.empty()) return std::nullopt;
  std::string pattern(phrase);
  if (whole_words && !is_unspaced(code_point_at(pattern, 0).value)) pattern.insert(0, 1, ' ');
  if (whole_words && !is_unspaced(code_point_before(pattern, pattern.size()).value)) pattern += ' ';
  if (const auto entry = words_.entry_holding(pattern)) return entry;
  return codes_.entry_holding(pattern);
}

std::optional<std::size_t> PageWords::entry_with_joined(std::string_view joined) const {
  if (joined.size() < kMinJoined) return std::nullopt;
  return entry_with(joined, false);
}

bool PageWords::stands_in(std::string_view phrase,
                          const std::function<bool(std::size_t)>& is_meant) const {
  for (const Stream* stream : {&words_, &codes_}) {
    const std::string_view text = stream->text.text();
    for (std::size_t i = 0; i < stream->starts.size(); ++i) {
      const auto& [begin, entry] = stream->starts[i];
      if (!is_meant(entry)) continue;
      const std::size_t end =
          i + 1 < stream->starts.size() ? stream->starts[i + 1].offset : text.size();
      if (text.substr(begin, end - begin).find(phrase) != std::string_view::npos) return true;
    }
  }
  return false;
}

}  // namespace agentlock
