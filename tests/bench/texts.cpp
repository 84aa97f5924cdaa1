#include "bench/texts.hpp"

// Texts are drawn, by a fixed sequence of random numbers, so that what an index feels
// is as it is on the web: few words make up most of a text and new ones never stop
// coming (Zipf's and Heaps' laws), about one word in twelve carries a mark, links share
// hosts. The hostile ones are the opposite: each word is new, or there is one word.

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

namespace agentlock::bench {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {  // splitmix64
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }
  std::size_t below(std::size_t bound) { return next() % bound; }
  bool in(std::size_t times, std::size_t of) { return below(of) < times; }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

constexpr std::array kCommon = {
    "the",  "of",   "and",   "to",    "in",   "a",    "is",   "that",   "for",   "it",     "was",
    "on",   "are",  "as",    "with",  "be",   "his",  "at",   "by",     "this",  "have",   "from",
    "or",   "had",  "not",   "but",   "what", "all",  "were", "when",   "we",    "there",  "can",
    "an",   "your", "which", "their", "said", "if",   "do",   "will",   "each",  "about",  "how",
    "up",   "out",  "them",  "then",  "she",  "many", "some", "so",     "these", "would",  "other",
    "into", "has",  "more",  "her",   "two",  "like", "him",  "see",    "time",  "could",  "no",
    "make", "than", "first", "been",  "its",  "who",  "now",  "people", "my",    "made",   "over",
    "did",  "down", "only",  "way",   "find", "use",  "may",  "water",  "long",  "little", "very"};

struct Script {
  std::vector<std::string_view> onsets;
  std::vector<std::string_view> rimes;
  bool has_common_words;
};

const Script kLatin = {{"b", "c", "d", "f", "g",  "h",  "l",  "m",  "n",  "p",   "r",
                        "s", "t", "v", "w", "st", "tr", "pl", "ch", "sh", "con", "re"},
                       {"a", "e", "i", "o", "u", "er", "in", "an", "ion", "al", "ing", "ate", "y"},
                       true};
const Script kCyrillic = {
    {"б", "в", "г", "д", "ж", "з", "к", "л", "м", "н", "п", "р", "с", "т", "х", "ч", "ст", "пр"},
    {"а", "е", "и", "о", "у", "ы", "ов", "ен", "ить", "ость", "ая", "ий", "ение"},
    false};

// The word of a rank: always the same one, longer for rarer ranks.
std::string word_of(const Script& script, std::size_t rank) {
  if (script.has_common_words && rank < kCommon.size()) return kCommon[rank];
  Random random(rank * 2654435761U + 17);
  std::size_t syllables = rank < 300 ? 1 : 2;
  if (random.in(2, 5)) ++syllables;
  if (rank >= 2000 && random.in(1, 5)) ++syllables;
  std::string word;
  while (syllables-- > 0) {
    word += script.onsets[random.below(script.onsets.size())];
    word += script.rimes[random.below(script.rimes.size())];
  }
  return word;
}

// Most words are among 30,000, by Zipf's law; three of a hundred are from a tail so long
// that most of those are new.
std::size_t rank(Random& random) {
  if (random.in(3, 100)) return 30000 + random.below(10'000'000);
  return static_cast<std::size_t>(std::pow(30000.0, random.unit())) - 1;
}

std::string link(Random& random) {
  const auto site = static_cast<std::size_t>(std::pow(2000.0, random.unit()));
  std::string url = random.in(1, 2) ? "https://www." : "https://";
  url += word_of(kLatin, 5000 + site) + (site % 3 == 0 ? ".org" : ".com");
  for (std::size_t parts = 1 + random.below(3); parts > 0; --parts) {
    url += "/" + word_of(kLatin, rank(random));
  }
  if (random.in(1, 2)) url += "-" + std::to_string(random.below(1'000'000));
  return url;
}

std::string address(Random& random) {
  return word_of(kLatin, rank(random)) + "." + word_of(kLatin, 6000 + random.below(3000)) + "@" +
         word_of(kLatin, 5000 + random.below(2000)) + ".com";
}

std::string number(Random& random) {
  switch (random.below(3)) {
    case 0:
      return "20" + std::to_string(10 + random.below(15)) + "-0" +
             std::to_string(1 + random.below(9)) + "-" + std::to_string(10 + random.below(18));
    case 1:
      return "$" + std::to_string(1 + random.below(900)) + "," +
             std::to_string(100 + random.below(900)) + ".00";
    default:
      return std::to_string(random.below(100'000));
  }
}

std::string prose(const Script& script, std::size_t size) {
  Random random(1);
  std::string text;
  std::size_t left = 0;  // words of the sentence
  while (text.size() < size) {
    const bool begins = left == 0;
    if (begins) left = 6 + random.below(20);
    --left;
    const std::size_t draw = random.below(1000);
    if (draw < 20) {
      text += link(random);
    } else if (draw < 22) {
      text += address(random);
    } else if (draw < 28) {
      text += number(random);
    } else {
      std::string word = word_of(script, rank(random));
      if (draw < 38) word += "-" + word_of(script, rank(random));
      if (begins && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] & ~0x20);
      if (draw < 44) word = "\"" + word + "\"";
      if (draw < 48 && script.has_common_words) word += "\u2019s";
      text += word;
    }
    if (left == 0) {
      text += random.in(1, 6) ? ".\n\n" : ". ";
    } else {
      text += random.in(6, 100) ? ", " : " ";
    }
  }
  return text;
}

std::string cyrillic(std::size_t size) { return prose(kCyrillic, size); }

std::string links(std::size_t size) {
  Random random(2);
  std::string text;
  while (text.size() < size) {
    for (int words = 0; words < 4; ++words) text += word_of(kLatin, rank(random)) + " ";
    text += link(random) + "\n";
  }
  return text;
}

void append_utf8(std::string& text, std::uint32_t three_bytes) {
  text += static_cast<char>(0xE0U | (three_bytes >> 12U));
  text += static_cast<char>(0x80U | ((three_bytes >> 6U) & 0x3FU));
  text += static_cast<char>(0x80U | (three_bytes & 0x3FU));
}

// Sentences without spaces, as in Chinese; a line has two.
std::string chinese(std::size_t size) {
  Random random(3);
  std::string text;
  while (text.size() < size) {
    for (std::size_t left = 8 + random.below(25); left > 0; --left) {
      const auto common = static_cast<std::uint32_t>(std::pow(3500.0, random.unit()));
      append_utf8(text, 0x4E00 + common * 5);
      if (random.in(1, 12)) text += "\uFF0C";
    }
    text += "\u3002";
    if (random.in(1, 4)) text += std::to_string(random.below(2025));
    if (random.in(1, 2)) text += "\n";
  }
  return text;
}

std::string of_alphabet(std::string_view alphabet, std::size_t size) {
  Random random(4);
  std::string text;
  while (text.size() < size) text += alphabet[random.below(alphabet.size())];
  return text;
}

std::string repeated(std::string_view part, std::size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

std::string base36(std::uint64_t number) {
  std::string digits;
  do digits += "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
  while ((number /= 36) > 0);
  return digits;
}

// One word after the other, none of them twice: numbers by a step that visits all of a
// prime's residues.
std::string distinct(std::size_t size, const std::function<std::string(std::uint64_t)>& word) {
  constexpr std::uint64_t kPrime = 2'147'483'647;
  std::string text;
  for (std::uint64_t number = 1'234'567; text.size() < size; number = number * 48271 % kPrime) {
    text += word(number);
    text += ' ';
  }
  return text;
}

std::string letters(std::size_t size) { return of_alphabet("abcdefghijklmnopqrstuvwxyz", size); }
std::string dotted(std::size_t size) { return repeated("a.", size); }
std::string hex(std::size_t size) { return of_alphabet("0123456789abcdef", size); }
std::string digits_and_spaces(std::size_t size) { return of_alphabet("0123456789 ", size); }
std::string at_signs(std::size_t size) { return repeated("@", size); }
std::string addresses_run(std::size_t size) { return repeated("a@a.", size); }
std::string base64(std::size_t size) {
  return of_alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", size);
}
std::string distinct_words(std::size_t size) {
  return distinct(size, [](std::uint64_t number) { return base36(number) + "_1"; });
}
std::string distinct_emails(std::size_t size) {
  return distinct(size, [](std::uint64_t number) {
    return base36(number) + "@" + base36(number % 46656) + ".ab";
  });
}
std::string distinct_urls(std::size_t size) {
  return distinct(
      size, [](std::uint64_t number) { return base36(number) + ".ab/" + base36(number % 1296); });
}
std::string distinct_phones(std::size_t size) {
  return distinct(size, [](std::uint64_t number) {
    return std::to_string(1'000'000'000 + number % 9'000'000'000U) + " x";
  });
}
std::string distinct_amounts(std::size_t size) {
  return distinct(size, [](std::uint64_t number) { return "$" + std::to_string(number) + ".5"; });
}
std::string distinct_defanged(std::size_t size) {
  return distinct(size, [](std::uint64_t number) { return base36(number) + "[.]ab"; });
}

}  // namespace

std::string web_text(std::size_t size) { return prose(kLatin, size); }

const std::vector<TextKind>& usual_texts() {
  static const std::vector<TextKind> kinds = {
      {"web", "English prose with links", web_text},
      {"links", "a list of links", links},
      {"cyrillic", "Cyrillic prose with links", cyrillic},
      {"chinese", "Chinese prose", chinese},
  };
  return kinds;
}

const std::vector<TextKind>& hostile_texts() {
  static const std::vector<TextKind> kinds = {
      {"run_letters", "one word of letters", letters},
      {"run_a.a.", "one word: a.a.a.", dotted},
      {"run_hex", "one word of hex digits", hex},
      {"run_base64", "one word that looks like base64", base64},
      {"run_@", "one word of @", at_signs},
      {"run_a@a.", "one word: a@a.a@a.", addresses_run},
      {"digits", "digits and spaces", digits_and_spaces},
      {"distinct_words", "each word new", distinct_words},
      {"distinct_emails", "each e-mail new", distinct_emails},
      {"distinct_urls", "each url new", distinct_urls},
      {"distinct_phones", "each phone number new", distinct_phones},
      {"distinct_amounts", "each price new", distinct_amounts},
      {"distinct_defanged", "each defanged host new", distinct_defanged},
  };
  return kinds;
}

std::vector<std::string_view> pages(std::string_view text, std::size_t size) {
  std::vector<std::string_view> cut;
  while (!text.empty()) {
    std::size_t end = text.size() > size ? text.find_first_of(" \n", size) : text.size();
    if (end == std::string_view::npos) end = text.size();
    cut.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return cut;
}

}  // namespace agentlock::bench
