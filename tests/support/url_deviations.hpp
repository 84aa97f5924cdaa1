#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "agentlock/url.hpp"

// Where Chromium 156 reads http, https, ws and wss URLs otherwise than the product
// does, all in one table. A comparison that finds a difference which no line covers
// has found something new: refuse it in src/url, or name it here with its reason.

namespace agentlock::test {

struct UrlReading {
  std::string href;
  std::string origin;
  bool operator==(const UrlReading&) const = default;
};

/// One text and what both make of it; nothing where it is refused.
struct UrlComparison {
  std::string input;
  std::optional<UrlReading> ours;
  std::string refusal;  ///< our words, where we refuse
  std::optional<UrlReading> theirs;
};

inline bool is_networked(std::string_view href) {
  return href.starts_with("http:") || href.starts_with("https:") || href.starts_with("ws:") ||
         href.starts_with("wss:");
}

/// A URL as the product would act on it. parse_navigable() also refuses what plays no
/// part here: credentials, and the schemes of sockets.
inline std::optional<UrlReading> reading_of(const Result<Url>& url) {
  if (!url || url->host().find('*') != std::string::npos) return std::nullopt;
  return UrlReading{url->href(), url->origin().serialize()};
}

namespace deviation {

/// The text as a host's parser sees it: without tabs and newlines, escapes decoded.
inline std::string decoded(std::string_view input) {
  std::string text;
  std::string clean(input);
  std::erase_if(clean, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  const auto digit = [](char c) {
    const std::size_t value = std::string_view("0123456789abcdef").find(c | 0x20);
    return value == std::string_view::npos ? -1 : static_cast<int>(value);
  };
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const bool escape = clean[i] == '%' && i + 2 < clean.size() && digit(clean[i + 1]) >= 0 &&
                        digit(clean[i + 2]) >= 0;
    text += escape ? static_cast<char>(digit(clean[i + 1]) * 16 + digit(clean[i + 2])) : clean[i];
    if (escape) i += 2;
  }
  return text;
}

inline std::vector<UChar32> code_points(std::string_view utf8) {
  std::vector<UChar32> points;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(utf8.size());) {
    UChar32 point = 0;
    U8_NEXT_OR_FFFD(utf8.data(), i, static_cast<std::int32_t>(utf8.size()), point);
    points.push_back(point);
  }
  return points;
}

inline std::string_view host_in(std::string_view origin) {
  return origin.substr(std::min(origin.find("://") + 3, origin.size()));
}

inline bool has_host_with(const UrlComparison& one, std::string_view part) {
  return one.theirs && host_in(one.theirs->origin).find(part) != std::string_view::npos;
}

/// Not in Unicode 15.0, or with another mapping in a later version.
inline bool is_of_newer_unicode(UChar32 point) {
  struct Range {
    UChar32 first;
    UChar32 last;
  };
  constexpr Range kChanged[] = {{0x4C0, 0x4C0},     {0x10A0, 0x10C5},   {0x115F, 0x1160},
                                {0x17B4, 0x17B5},   {0x1806, 0x1806},   {0x180E, 0x180E},
                                {0x2061, 0x2063},   {0x206A, 0x206F},   {0x2132, 0x2132},
                                {0x2183, 0x2183},   {0x3164, 0x3164},   {0xFFA0, 0xFFA0},
                                {0x1D173, 0x1D17A}, {0x2F868, 0x2F868}, {0x2F874, 0x2F874},
                                {0x2F91F, 0x2F91F}, {0x2F95F, 0x2F95F}, {0x2F9BF, 0x2F9BF}};
  return u_charType(point) == U_UNASSIGNED || std::ranges::any_of(kChanged, [&](const Range& r) {
           return point >= r.first && point <= r.last;
         });
}

inline bool asterisk(const UrlComparison& one) { return has_host_with(one, "%2A"); }
inline bool space(const UrlComparison& one) { return has_host_with(one, "%20"); }
inline bool capital_sharp_s(const UrlComparison& one) {
  return one.refusal.find("U+1E9E") != std::string::npos;
}
inline bool percent_sign_twice(const UrlComparison& one) {
  const std::string text = decoded(one.input);
  return text.find("\xEF\xBC\x85") != std::string::npos ||
         text.find("\xEF\xB9\xAA") != std::string::npos;
}
inline bool spelled_ipv6(const UrlComparison& one) {
  return one.theirs && host_in(one.theirs->origin).starts_with('[');
}
inline bool newer_unicode(const UrlComparison& one) {
  return one.refusal.find("internationalised") != std::string::npos &&
         std::ranges::any_of(code_points(decoded(one.input)), is_of_newer_unicode);
}
inline bool forbidden_before_mark(const UrlComparison& one) {
  const std::vector<UChar32> points = code_points(decoded(one.input));
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const bool forbidden = points[i] == '^' || points[i] == '|';
    if (forbidden && (U_GET_GC_MASK(points[i + 1]) & U_GC_M_MASK) != 0) return true;
  }
  return false;
}

/// `theirs` with the escapes that only Chromium writes taken back.
inline bool differ_by(const UrlComparison& one, char character, std::string_view escape) {
  if (!one.ours || !one.theirs || one.ours->origin != one.theirs->origin) return false;
  std::string expected;
  for (const char c : one.ours->href) {
    if (c == character) {
      expected += escape;
    } else {
      expected += c;
    }
  }
  // Query and fragment keep the character, so only a beginning is compared.
  const std::string& theirs = one.theirs->href;
  const std::size_t end = std::min(theirs.find('?'), theirs.find('#'));
  return expected.substr(0, end) == theirs.substr(0, end) &&
         expected.find(escape) != std::string::npos;
}
inline bool bar_in_path(const UrlComparison& one) { return differ_by(one, '|', "%7C"); }
inline bool quote_in_user_name(const UrlComparison& one) { return differ_by(one, '\'', "%27"); }

}  // namespace deviation

struct UrlDeviation {
  std::string_view name;
  std::string_view reason;
  bool (*covers)(const UrlComparison&);
};

/// What Chromium takes and we refuse. Nothing of it can be navigated to.
inline constexpr std::array<UrlDeviation, 7> kOnlyChromiumAccepts{{
    {"asterisk in the host",
     "Chromium writes it as %2A and so has another host than the standard; refused",
     deviation::asterisk},
    {"space in the host", "a forbidden code point to the standard; Chromium writes it as %20",
     deviation::space},
    {"capital sharp s", "Unicode before 15.1 maps it to ss, later versions do not; refused",
     deviation::capital_sharp_s},
    {"a percent sign that mapping brings forth",
     "Chromium decodes the host once more after mapping, the standard does not",
     deviation::percent_sign_twice},
    {"an IPv6 address in another spelling",
     "Chromium maps and decodes also what stands in brackets, and takes zeros before the numbers "
     "of an IPv4 address in it",
     deviation::spelled_ipv6},
    {"newer Unicode", "ICU 72 has the data of Unicode 15.0, Chromium that of a later version",
     deviation::newer_unicode},
    {"a forbidden character before a combining mark",
     "Chromium lets ^ and | pass there and puts another character in their place",
     deviation::forbidden_before_mark},
}};

/// What both take and write differently, with the same origin.
inline constexpr std::array<UrlDeviation, 2> kSpelledDifferently{{
    {"a vertical bar in the path", "Chromium escapes it, the standard does not",
     deviation::bar_in_path},
    {"an apostrophe in a user name",
     "Chromium escapes it, the standard does not; URLs with credentials are refused anyway",
     deviation::quote_in_user_name},
}};

/// The line that covers a difference, or null.
template <std::size_t N>
const UrlDeviation* covering(const std::array<UrlDeviation, N>& table, const UrlComparison& one) {
  for (const UrlDeviation& deviation : table) {
    if (deviation.covers(one)) return &deviation;
  }
  return nullptr;
}

/// Why the two readings of one text don't agree as they must, or "" if they do:
/// what both take has one origin and, but for the table, one spelling; what only
/// Chromium takes stands in the table; nothing is taken by us alone; and what Chromium
/// writes is refused by us or has the origin that it has for Chromium.
inline std::string disagreement(const UrlComparison& one) {
  if (one.ours && !one.theirs) return "only we take it";
  if (!one.theirs) return "";
  const auto back = reading_of(Url::parse(one.theirs->href));
  if (back && back->origin != one.theirs->origin) return "what Chromium writes is elsewhere to us";
  if (!one.ours) {
    return covering(kOnlyChromiumAccepts, one) ? ""
                                               : "only Chromium takes it, and no line says why";
  }
  if (one.ours->origin != one.theirs->origin) return "two origins";
  if (*one.ours == *one.theirs || covering(kSpelledDifferently, one)) return "";
  return "two spellings, and no line says why";
}

}  // namespace agentlock::test
