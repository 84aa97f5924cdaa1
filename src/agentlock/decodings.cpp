#include "agentlock/decodings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "agentlock/character_classes.hpp"
#include "base/encoding.hpp"
#include "url/percent.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMaxDecodings = 48;
constexpr int kMaxDepth = 3;
// The shortest text that is taken for an encoding, and for what it stands for.
constexpr std::size_t kMinEncoded = 8;
constexpr std::size_t kMinPlain = 4;

using Texts = std::vector<std::string>;

bool is_hex_digit(char c) {
  return is_ascii_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A table, as whole pages are looked through for them.
constexpr auto kBase64 = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789+/-_")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}();

bool is_base64(char c) { return kBase64[static_cast<unsigned char>(c)]; }

void append_code_point(std::string& text, std::uint32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0U | (c >> 6U));
    text += static_cast<char>(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0U | (c >> 12U));
    text += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    text += static_cast<char>(0x80U | (c & 0x3FU));
  } else {
    text += static_cast<char>(0xF0U | (c >> 18U));
    text += static_cast<char>(0x80U | ((c >> 12U) & 0x3FU));
    text += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    text += static_cast<char>(0x80U | (c & 0x3FU));
  }
}

// Bytes that could be a text: whole characters, no control characters.
bool is_plain(std::string_view text) {
  return text.size() >= kMinPlain && is_utf8(text) && std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
         });
}

// Groups of `bits` from each digit, as bytes; what is left at the end is dropped.
template <typename Digit>
std::string regroup(std::string_view digits, unsigned bits, Digit value_of) {
  std::string bytes;
  std::uint32_t held = 0;
  unsigned count = 0;
  for (const char c : digits) {
    held = (held << bits) | static_cast<std::uint32_t>(value_of(c));
    count += bits;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((held >> count) & 0xFFU);
    held &= (1U << count) - 1U;
  }
  return bytes;
}

std::string from_base64(std::string_view text) {
  return regroup(text, 6, [](char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (is_ascii_digit(c)) return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : 63;
  });
}

std::string from_base32(std::string_view text) {
  return regroup(text, 5, [](char c) {
    return c >= '2' && c <= '7' ? c - '2' + 26 : (static_cast<unsigned char>(c) | 0x20) - 'a';
  });
}

void keep(Texts& texts, std::string text) {
  if (is_plain(text)) texts.push_back(std::move(text));
}

template <typename Predicate, typename Use>
void each_run(std::string_view text, Predicate is_member, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_member(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_member(text[end])) ++end;
    if (end - at >= kMinEncoded) use(text.substr(at, end - at));
    at = end;
  }
}

template <typename Predicate>
std::string only(std::string_view text, Predicate is_member) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept), is_member);
  return kept;
}

void append_base64(std::string_view text, Texts& texts) {
  each_run(text, is_base64, [&](std::string_view run) { keep(texts, from_base64(run)); });
  // Cut into groups by something else.
  const std::string joined = only(text, is_base64);
  if (joined.size() >= kMinEncoded && joined.size() != text.size())
    keep(texts, from_base64(joined));
}

void append_base32(std::string_view text, Texts& texts) {
  const auto is_base32 = [](char c) { return is_ascii_letter(c) || (c >= '2' && c <= '7'); };
  each_run(text, is_base32, [&](std::string_view run) { keep(texts, from_base32(run)); });
}

void append_hex(std::string_view text, Texts& texts) {
  const auto append = [&](std::string_view digits) {
    const auto bytes = from_hex(digits.substr(0, digits.size() / 2 * 2));
    if (bytes) keep(texts, std::string(bytes->begin(), bytes->end()));
  };
  each_run(text, is_hex_digit, append);
  // 0x4b 0x58, \x4b\x58, 4b:58
  std::string digits;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_prefix = (text[at] == '0' || text[at] == '\\') && at + 1 < text.size() &&
                           (text[at + 1] == 'x' || text[at + 1] == 'X');
    if (is_prefix) {
      ++at;
    } else if (is_hex_digit(text[at])) {
      digits += text[at];
    } else if (is_ascii_letter(text[at])) {
      return;
    }
  }
  if (digits.size() >= kMinEncoded) append(digits);
}

std::optional<std::uint32_t> number(std::string_view digits, int base) {
  std::uint32_t value = 0;
  const auto [end, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  const bool whole = fault == std::errc() && end == digits.data() + digits.size();
  if (!whole || value >= 0x110000 || (value >= 0xD800 && value < 0xE000)) return std::nullopt;
  return value;
}

// 75 88 45 and 75,88,45
void append_character_codes(std::string_view text, Texts& texts) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_ascii_digit(text[at])) {
      if (is_ascii_letter(text[at])) return;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_ascii_digit(text[end])) ++end;
    const auto code = number(text.substr(at, end - at), 10);
    if (!code || *code < 0x20) return;
    append_code_point(plain, *code);
    at = end;
  }
  keep(texts, std::move(plain));
}

// &#75; &#x4b; \u004b; what is none of them stays as it is.
void append_escapes(std::string_view text, Texts& texts) {
  std::string plain;
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    std::optional<std::uint32_t> code;
    std::size_t end = at;
    if (text.substr(at).starts_with("&#")) {
      const std::size_t semicolon = text.find(';', at);
      if (semicolon != std::string_view::npos) {
        std::string_view digits = text.substr(at + 2, semicolon - at - 2);
        const bool is_hex = digits.starts_with('x') || digits.starts_with('X');
        if (is_hex) digits.remove_prefix(1);
        if (digits.size() <= 8) code = number(digits, is_hex ? 16 : 10);
        end = semicolon + 1;
      }
    } else if (text.substr(at).starts_with("\\u") && at + 6 <= text.size()) {
      code = number(text.substr(at + 2, 4), 16);
      end = at + 6;
    }
    if (code) {
      append_code_point(plain, *code);
      found = true;
      at = end;
    } else {
      plain += text[at++];
    }
  }
  if (found) keep(texts, std::move(plain));
}

std::string backwards(std::string_view text) {
  std::string reversed;
  for (std::size_t at = text.size(); at > 0;) {
    const std::size_t length = code_point_before(text, at).length;
    at -= length;
    reversed += text.substr(at, length);
  }
  return reversed;
}

std::string rot13(std::string_view text) {
  std::string turned(text);
  for (char& c : turned) {
    if (!is_ascii_letter(c)) continue;
    const char first = c >= 'a' ? 'a' : 'A';
    c = static_cast<char>(first + (c - first + 13) % 26);
  }
  return turned;
}

Texts decoded_once(std::string_view text) {
  Texts texts;
  keep(texts, percent_decoded(text));
  append_escapes(text, texts);
  append_hex(text, texts);
  append_base64(text, texts);
  append_base32(text, texts);
  append_character_codes(text, texts);
  return texts;
}

// Runs of base64 that no language writes: with a capital or a digit behind a small
// letter. One step a character, as whole pages are looked through.
void append_base64_words(std::string_view text, Texts& pieces) {
  std::size_t begin = 0;
  bool is_odd = false;
  bool after_small = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ' ';
    if (!is_base64(c)) {
      if (is_odd && at - begin >= kMinEncoded) {
        keep(pieces, from_base64(text.substr(begin, at - begin)));
      }
      begin = at + 1;
      is_odd = after_small = false;
      continue;
    }
    const bool is_small = c >= 'a' && c <= 'z';
    is_odd = is_odd || (after_small && !is_small && c != '-');
    after_small = is_small;
  }
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string plain(text);
  for (int round = 0; round < 3 && plain.find('%') != std::string::npos; ++round) {
    std::string once = url::percent_decode(plain);
    if (once == plain || !is_utf8(once)) break;
    plain = std::move(once);
  }
  return plain;
}

std::vector<std::string> decodings(std::string_view value) {
  Texts all;
  const auto known = [&](const std::string& text) {
    return text == value || std::ranges::find(all, text) != all.end();
  };
  Texts layer{std::string(value)};
  for (int depth = 0; depth < kMaxDepth && !layer.empty(); ++depth) {
    Texts next;
    for (const std::string& text : layer) {
      for (std::string& plain : decoded_once(text)) {
        if (all.size() >= kMaxDecodings) return all;
        if (known(plain)) continue;
        all.push_back(plain);
        next.push_back(std::move(plain));
      }
    }
    layer = std::move(next);
  }
  for (std::string plain : {backwards(value), rot13(value)}) {
    if (!known(plain)) keep(all, std::move(plain));
  }
  return all;
}

std::vector<std::string> encoded_pieces(std::string_view text) {
  Texts pieces;
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
    // The word around it.
    std::size_t begin = at;
    while (begin > 0 && !is_space(static_cast<unsigned char>(text[begin - 1]))) --begin;
    const std::size_t end = find_space(text, at);
    const std::string_view word = text.substr(begin, end - begin);
    if (std::string plain = percent_decoded(word); plain != word) keep(pieces, std::move(plain));
    at = end;
  }
  append_base64_words(text, pieces);
  return pieces;
}

std::vector<std::string> ipv4_spellings(std::string_view host) {
  std::array<std::uint32_t, 4> parts{};
  std::size_t count = 0;
  for (std::size_t at = 0; at <= host.size(); ++count) {
    const std::size_t end = std::min(host.find('.', at), host.size());
    const auto part = number(host.substr(at, end - at), 10);
    if (count >= 4 || !part || *part > 255) return {};
    parts[count] = *part;
    at = end + 1;
  }
  if (count != 4) return {};
  const auto spelled = [](std::uint32_t value, int base) {
    std::array<char, 16> buffer{};
    const auto [end, fault] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, base);
    return std::string(buffer.data(), end);
  };
  const std::uint32_t whole = (parts[0] << 24U) | (parts[1] << 16U) | (parts[2] << 8U) | parts[3];
  Texts all{spelled(whole, 10), "0x" + spelled(whole, 16), "0" + spelled(whole, 8)};
  std::string hex;
  std::string octal;
  for (const std::uint32_t part : parts) {
    hex += (hex.empty() ? "0x" : ".0x") + spelled(part, 16);
    octal += (octal.empty() ? "0" : ".0") + spelled(part, 8);
  }
  all.push_back(std::move(hex));
  all.push_back(std::move(octal));
  return all;
}

}  // namespace agentlock
