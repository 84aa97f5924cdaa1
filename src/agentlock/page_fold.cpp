#include "agentlock/page_fold.hpp"

// The fold of a code point is worked out once by ICU, a block of 128 code points at a
// time, and kept for the life of the process: what follows is a table look-up.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include "agentlock/character_classes.hpp"

namespace agentlock {
namespace {

using Kind = FoldedCharacter::Kind;

constexpr std::size_t kBlockSize = 128;
constexpr std::size_t kBlocks = 0x110000 / kBlockSize;

void require(UErrorCode status, const char* what) {
  if (U_FAILURE(status)) throw std::runtime_error(std::string(what) + ": " + u_errorName(status));
}

bool is_letter_or_digit(UChar32 c) { return (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0; }
bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

class Folder {
 public:
  Folder() {
    UErrorCode status = U_ZERO_ERROR;
    casefold_ = icu::Normalizer2::getNFKCCasefoldInstance(status);
    decompose_ = icu::Normalizer2::getNFDInstance(status);
    spoof_.reset(uspoof_open(&status));
    require(status, "ICU has no data to fold text with");
  }

  struct Entry {
    Kind kind = Kind::kSeparator;
    std::string text;
  };

  Entry fold(UChar32 c) const {
    if (is_mark(c) || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) {
      return {Kind::kNothing, ""};
    }
    if (U_IS_SURROGATE(c)) return {};
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString plain = casefold_->normalize(icu::UnicodeString(c), status);
    require(status, "ICU can't normalize");
    // A letter in a circle is one; a vertical bar is none, though it looks like one.
    if (!is_letter_or_digit(c) && !all_words(plain)) return {};
    return {Kind::kWord,
            words_of(decompose_->normalize(casefold_->normalize(skeleton(plain), status), status))};
  }

 private:
  struct Close {
    void operator()(USpoofChecker* checker) const { uspoof_close(checker); }
  };

  static bool all_words(const icu::UnicodeString& text) {
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      if (!is_letter_or_digit(text.char32At(i))) return false;
    }
    return !text.isEmpty();
  }

  icu::UnicodeString skeleton(const icu::UnicodeString& text) const {
    std::array<UChar, 128> buffer{};
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length =
        uspoof_getSkeleton(spoof_.get(), 0, text.getBuffer(), text.length(), buffer.data(),
                           static_cast<std::int32_t>(buffer.size()), &status);
    require(status, "ICU can't make a skeleton");
    return {buffer.data(), length};
  }

  static std::string words_of(const icu::UnicodeString& text) {
    icu::UnicodeString words;
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      const UChar32 c = text.char32At(i);
      if (is_mark(c)) continue;
      words.append(is_letter_or_digit(c) ? c : UChar32{' '});
    }
    std::string utf8;
    words.toUTF8String(utf8);
    return utf8;
  }

  const icu::Normalizer2* casefold_ = nullptr;
  const icu::Normalizer2* decompose_ = nullptr;
  std::unique_ptr<USpoofChecker, Close> spoof_;
};

using Block = std::array<Folder::Entry, kBlockSize>;

class Table {
 public:
  const Folder::Entry& at(char32_t c) {
    const std::size_t number = c / kBlockSize;
    const Block* block = blocks_.at(number).load(std::memory_order_acquire);
    if (block == nullptr) block = &make(number);
    return (*block)[c % kBlockSize];
  }

 private:
  const Block& make(std::size_t number) {
    const std::lock_guard lock(mutex_);
    if (const Block* made = blocks_[number].load(std::memory_order_acquire)) return *made;
    if (!folder_) folder_ = std::make_unique<const Folder>();
    auto block = std::make_unique<Block>();
    for (std::size_t i = 0; i < kBlockSize; ++i) {
      (*block)[i] = folder_->fold(static_cast<UChar32>(number * kBlockSize + i));
    }
    owned_[number] = std::move(block);
    blocks_[number].store(owned_[number].get(), std::memory_order_release);
    return *owned_[number];
  }

  std::mutex mutex_;
  std::unique_ptr<const Folder> folder_;
  std::array<std::atomic<const Block*>, kBlocks> blocks_{};
  std::array<std::unique_ptr<const Block>, kBlocks> owned_;
};

Table& table() {
  static Table all;
  return all;
}

template <bool spaced>
std::string folded(std::string_view text) {
  std::string words;
  bool parted = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    at += c.length;
    const FoldedCharacter character = fold_character(c.value);
    if (character.kind == Kind::kSeparator) parted = true;
    if (character.kind != Kind::kWord) continue;
    if (spaced && parted && !words.empty()) words += ' ';
    parted = false;
    for (const char byte : character.text) {
      if (byte != ' ') {
        words += byte;
      } else if (spaced && !words.empty() && words.back() != ' ') {
        words += ' ';
      }
    }
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

}  // namespace

FoldedCharacter fold_character(char32_t c) {
  if (c >= 0x110000) return {};
  const Folder::Entry& entry = table().at(c);
  return {entry.kind, entry.text};
}

std::string fold_words(std::string_view text) { return folded<true>(text); }
std::string fold_joined(std::string_view text) { return folded<false>(text); }

bool is_unspaced(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &status);
  return U_SUCCESS(status) && uscript_breaksBetweenLetters(script) != 0;
}

}  // namespace agentlock
