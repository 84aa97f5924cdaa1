#include "agentlock/spelling.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include <libstemmer.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace agentlock {
namespace {

constexpr std::array kLanguages = {"english", "german",     "french",  "spanish", "italian",
                                   "dutch",   "portuguese", "swedish", "russian"};

const icu::Normalizer2& composed() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU has no data to normalize text with");
  return *form;
}

const icu::Normalizer2& decomposed() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU has no data to normalize text with");
  return *form;
}

icu::UnicodeString normalized(const icu::Normalizer2& form, const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString result = form.normalize(text, status);
  if (U_FAILURE(status)) throw std::runtime_error("ICU can't normalize a text");
  return result;
}

UChar32 plain_punctuation(UChar32 c) {
  if (c < 0x80) return c;
  if (u_charType(c) == U_DASH_PUNCTUATION || c == 0x2212) return '-';
  switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201B:
      return '\'';
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x201F:
    case 0xAB:
    case 0xBB:
      return '"';
    default:
      return c;
  }
}

bool is_word_part(char32_t c) {
  if (c < 0x80)
    return is_ascii_letter(static_cast<char>(c)) || is_ascii_digit(static_cast<char>(c));
  constexpr std::uint32_t kParts = U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK | U_GC_CF_MASK;
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & kParts) != 0;
}

// A stem of a few letters makes words of different meaning one: "mod" of "modern".
bool is_telling(std::string_view stem, std::string_view word) {
  const std::size_t length = count_code_points(stem);
  return length >= 4 || length * 10 >= count_code_points(word) * 6;
}

class Stemmer {
 public:
  explicit Stemmer(const char* language) : stemmer_(sb_stemmer_new(language, "UTF_8")) {
    if (!stemmer_) throw std::runtime_error(std::string("no stemmer for ") + language);
  }
  std::string stem(std::string_view word) const {
    const auto* letters = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* root = sb_stemmer_stem(stemmer_.get(), letters, static_cast<int>(word.size()));
    if (root == nullptr) throw std::bad_alloc();
    const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    const std::string_view stem(reinterpret_cast<const char*>(root), length);
    return std::string(is_telling(stem, word) ? stem : word);
  }

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_;
};

// A stemmer works in memory of its own, so each thread has its own.
const std::vector<Stemmer>& stemmers() {
  thread_local const std::vector<Stemmer> all = [] {
    std::vector<Stemmer> made;
    for (const char* language : kLanguages) made.emplace_back(language);
    return made;
  }();
  return all;
}

}  // namespace

std::string spelling(std::string_view text) {
  icu::UnicodeString folded =
      normalized(composed(), icu::UnicodeString::fromUTF8(icu::StringPiece(
                                 text.data(), static_cast<std::int32_t>(text.size()))));
  folded.foldCase();
  folded = normalized(composed(), folded);
  icu::UnicodeString spelled;
  bool spaced = false;
  for (std::int32_t i = 0; i < folded.length(); i = folded.moveIndex32(i, 1)) {
    const UChar32 c = folded.char32At(i);
    if (is_space(static_cast<char32_t>(c))) {
      spaced = !spelled.isEmpty();
      continue;
    }
    if (spaced) spelled.append(UChar{' '});
    spaced = false;
    spelled.append(plain_punctuation(c));
  }
  std::string utf8;
  spelled.toUTF8String(utf8);
  return utf8;
}

std::vector<TextRange> words_of(std::string_view spelled) {
  std::vector<TextRange> words;
  for (std::size_t at = 0; at < spelled.size();) {
    const std::size_t begin = at;
    while (at < spelled.size()) {
      const CodePoint c = code_point_at(spelled, at);
      if (!is_word_part(c.value)) break;
      at += c.length;
    }
    if (at > begin) {
      words.push_back({begin, at});
    } else {
      at += code_point_at(spelled, at).length;
    }
  }
  return words;
}

bool is_letters(std::string_view word) {
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint c = code_point_at(word, at);
    at += c.length;
    constexpr std::uint32_t kLetters = U_GC_L_MASK | U_GC_M_MASK;
    if ((U_GET_GC_MASK(static_cast<UChar32>(c.value)) & kLetters) == 0) return false;
  }
  return !word.empty();
}

bool holds_digit(std::string_view text) { return find_decimal_digit(text, 0) < text.size(); }

std::string without_marks(std::string_view word) {
  if (std::ranges::all_of(word, is_ascii)) return std::string(word);
  const icu::UnicodeString apart =
      normalized(decomposed(), icu::UnicodeString::fromUTF8(icu::StringPiece(
                                   word.data(), static_cast<std::int32_t>(word.size()))));
  icu::UnicodeString bare;
  for (std::int32_t i = 0; i < apart.length(); i = apart.moveIndex32(i, 1)) {
    const UChar32 c = apart.char32At(i);
    if (u_charType(c) != U_NON_SPACING_MARK) bare.append(c);
  }
  std::string utf8;
  normalized(composed(), bare).toUTF8String(utf8);
  return utf8;
}

std::vector<std::string> word_forms(std::string_view word) {
  std::vector<std::string> forms{std::string(word)};
  if (!is_letters(word)) return forms;
  const std::string bare = without_marks(word);
  forms.push_back("bare:" + bare);
  for (std::size_t i = 0; i < kLanguages.size(); ++i) {
    const std::string language = std::string(kLanguages.at(i)) + ':';
    forms.push_back(language + stemmers()[i].stem(word));
    if (bare != word) forms.push_back(language + stemmers()[i].stem(bare));
  }
  return forms;
}

std::string row_form(std::string_view word) {
  return is_letters(word) ? stemmers().front().stem(without_marks(word)) : std::string(word);
}

}  // namespace agentlock
