#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/character_classes.hpp"

/// The grammars of the lineage engine as they are written down, tried position by
/// position: slow, plain, and for ASCII texts only. What the scanners are held against.
namespace agentlock::test {

inline constexpr std::size_t kNone = std::string_view::npos;

inline bool is_alphanumeric(char c) { return is_ascii_letter(c) || is_ascii_digit(c); }
inline bool is_local(char c) {
  return is_alphanumeric(c) || std::string_view("._%+-").find(c) != kNone;
}
inline bool is_host(char c) { return is_alphanumeric(c) || c == '.' || c == '-'; }

// The end of two or more letters at `at`, or kNone.
inline std::size_t letters(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_ascii_letter(text[end])) ++end;
  return end - at >= 2 ? end : kNone;
}

using Matcher = std::function<std::size_t(std::string_view, std::size_t)>;

inline std::vector<std::string> all_matches(std::string_view text, const Matcher& match) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = match(text, at);
    if (end == kNone) {
      ++at;
    } else {
      found.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }
  return found;
}

inline std::size_t match_email(std::string_view text, std::size_t at) {
  std::size_t local = at;
  while (local < text.size() && is_local(text[local])) ++local;
  if (local == at || local == text.size() || text[local] != '@') return kNone;
  std::size_t host = local + 1;
  while (host < text.size() && is_host(text[host])) ++host;
  for (; host > local + 1; --host) {
    if (host < text.size() && text[host] == '.' && letters(text, host + 1) != kNone) {
      return letters(text, host + 1);
    }
  }
  return kNone;
}

inline std::size_t match_host(std::string_view text, std::size_t at, bool has_label) {
  std::size_t label = at;
  while (label < text.size() && (is_alphanumeric(text[label]) || text[label] == '-')) ++label;
  const bool is_label = label > at && label < text.size() && text[label] == '.' &&
                        text[at] != '-' && text[label - 1] != '-';
  if (is_label) {
    const std::size_t end = match_host(text, label + 1, true);
    if (end != kNone) return end;
  }
  if (!has_label) return kNone;
  std::size_t end = letters(text, at);
  if (end != kNone && end < text.size() && text[end] == '/') end = find_space(text, end);
  return end;
}

inline bool begins_with_in_any_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != lower[i]) return false;
  }
  return true;
}

inline std::size_t match_url(std::string_view text, std::size_t at) {
  for (const std::string_view scheme : {"https://", "http://", ""}) {
    if (!begins_with_in_any_case(text.substr(at), scheme)) continue;
    const std::size_t end = match_host(text, at + scheme.size(), false);
    if (end != kNone) return end;
  }
  return kNone;
}

// With the digits counted, as only numbers that pass are seen from outside.
inline std::size_t match_phone(std::string_view text, std::size_t at) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && (is_alphanumeric(text[i]) || text[i] == '_');
  };
  if (at > 0 && (is_word(at - 1) || text[at - 1] == '+')) return kNone;
  const std::size_t first = text[at] == '+' ? at + 1 : at;
  if (first >= text.size() || !is_ascii_digit(text[first])) return kNone;
  std::size_t end = first + 1;
  while (end < text.size() &&
         (is_ascii_digit(text[end]) || std::string_view("().-").find(text[end]) != kNone ||
          is_space(static_cast<char32_t>(text[end])))) {
    ++end;
  }
  for (; end >= first + 9; --end) {
    if (is_ascii_digit(text[end - 1]) && !is_word(end)) return end;
  }
  return kNone;
}

inline std::vector<std::string> naive_phones(std::string_view text) {
  std::vector<std::string> phones;
  for (const std::string& candidate : all_matches(text, match_phone)) {
    std::string digits;
    for (const char c : candidate) {
      if (is_ascii_digit(c)) digits += c;
    }
    if (candidate.front() == '+') {
      if (digits.size() >= 10 && digits.size() <= 15) phones.push_back("+" + digits);
    } else if (digits.size() == 11 && digits.front() == '1') {
      phones.push_back("+" + digits);
    } else if (digits.size() == 10) {
      phones.push_back("+1" + digits);
    }
  }
  return phones;
}

}  // namespace agentlock::test
