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

#include "agentlock/character_classes.hpp"
#include "agentlock/decodings.hpp"
#include "agentlock/page_fold.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMinJoined = 6;

// Follows the words of an entry and tells which of them make up a code.
class Codes {
 public:
  explicit Codes(std::string& output) : output_(output) {}

  void word(std::string_view text, bool has_digit, bool after_space) {
    if (count_ > 0 && (!after_space || (has_digit && last_has_digit_))) {
      joined_ += text;
      ++count_;
    } else {
      end();
      joined_ = text;
      count_ = 1;
    }
    last_has_digit_ = has_digit;
  }

  void end() {
    if (count_ > 1 && joined_.size() >= kMinJoined) (output_ += joined_) += ' ';
    joined_.clear();
    count_ = 0;
  }

 private:
  std::string& output_;
  std::string joined_;
  std::size_t count_ = 0;
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
  words.reserve(content.size() + content.size() / 8 + 2);
  std::string codes = "\n ";
  Codes joined(codes);
  std::size_t word_begin = words.size();
  bool has_digit = false;
  bool after_space = true;
  const auto end_word = [&] {
    if (words.size() == word_begin) return;
    joined.word(std::string_view(words).substr(word_begin), has_digit, after_space);
    words += ' ';
    word_begin = words.size();
    has_digit = false;
    after_space = false;
  };
  for (std::size_t at = 0; at < content.size();) {
    const CodePoint c = code_point_at(content, at);
    at += c.length;
    const FoldedCharacter character = fold_character(c.value);
    if (character.kind == FoldedCharacter::Kind::kSeparator) {
      end_word();
      after_space = after_space || is_space(c.value);
    } else if (character.kind == FoldedCharacter::Kind::kWord) {
      has_digit = has_digit || is_decimal_digit(c.value);
      for (const char byte : character.text) {
        if (byte == ' ') {
          end_word();
        } else {
          words += byte;
        }
      }
    }
  }
  end_word();
  joined.end();
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
