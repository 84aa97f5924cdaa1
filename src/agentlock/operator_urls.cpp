#include "agentlock/operator_urls.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "agentlock/character_classes.hpp"
#include "agentlock/file_extension.hpp"
#include "agentlock/lowercase.hpp"
#include "agentlock/page_fold.hpp"

namespace agentlock {
namespace {

struct Bracket {
  std::string_view open;
  std::string_view close;
};
constexpr Bracket kBrackets[] = {{"(", ")"},   {"[", "]"},   {"{", "}"},
                                 {"<", ">"},   {"（", "）"}, {"「", "」"},
                                 {"『", "』"}, {"【", "】"}, {"《", "》"}};
// What stands around an address or ends the sentence that it stands in.
constexpr std::string_view kBefore[] = {"\"", "'", "`", "“",  "”",  "„",  "‘",  "’",  "«", "»", "(",
                                        "[",  "{", "<", "（", "「", "『", "【", "《", "*", "_"};
constexpr std::string_view kAfter[] = {".",  ",",  ";",  ":",  "!",  "?", "\"", "'", "`",  "“",
                                       "”",  "„",  "‘",  "’",  "«",  "»", "*",  "…", "。", "，",
                                       "、", "；", "：", "！", "？", "।", "۔",  "؟", "．"};

// No address holds these as they are.
constexpr std::string_view kEndOfSentence[] = {"。", "，", "、", "；", "：",
                                               "！", "？", "」", "）"};

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) {
    ++times;
  }
  return times;
}

bool drop_front(std::string_view& text) {
  // "[::1]:3000" is an address.
  if (text.starts_with("[") && text.find(':') < text.find(']') &&
      text.find(']') != std::string_view::npos) {
    return false;
  }
  for (const std::string_view mark : kBefore) {
    if (!text.starts_with(mark)) continue;
    text.remove_prefix(mark.size());
    return true;
  }
  return false;
}

bool drop_back(std::string_view& text) {
  for (const std::string_view mark : kAfter) {
    if (!text.ends_with(mark)) continue;
    text.remove_suffix(mark.size());
    return true;
  }
  for (const auto& [open, close] : kBrackets) {
    // "wiki/Foo_(bar)" keeps its bracket, "(see a.test/x)" doesn't.
    if (!text.ends_with(close) || count(text, open) >= count(text, close)) continue;
    text.remove_suffix(close.size());
    return true;
  }
  return false;
}

// "<https://a.test/>;" and "[text](https://a.test/)" end where the address ends.
std::string_view until_closing(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '"') return text.substr(0, at);
    if (text[at] == '>') return text.substr(0, at);
    for (const std::string_view mark : kEndOfSentence) {
      if (text.substr(at).starts_with(mark)) return text.substr(0, at);
    }
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && depth-- == 0) return text.substr(0, at);
  }
  return text;
}

std::optional<Url> as_navigable(std::string_view text) {
  auto url = parse_navigable(text);
  return url ? std::optional(*std::move(url)) : std::nullopt;
}

bool is_ip(std::string_view host) {
  return host.starts_with('[') ||
         std::ranges::all_of(host, [](char c) { return is_ascii_digit(c) || c == '.'; });
}

// What is written without a scheme, if it is an address.
std::optional<Url> bare_address(std::string_view text) {
  if (text.find('@') < text.find_first_of("/?#")) return std::nullopt;
  const std::size_t host_end = std::min(text.find_first_of("/?#"), text.size());
  std::string_view host = text.substr(0, host_end);
  const std::size_t colon = host.rfind(':');
  const bool bracketed = host.starts_with('[');
  const bool has_port = colon != host.npos && colon + 1 < host.size() &&
                        (!bracketed || host[colon - 1] == ']') &&
                        std::ranges::all_of(host.substr(colon + 1), is_ascii_digit);
  if (has_port) host = host.substr(0, colon);
  if (host.empty() || (!bracketed && host.find(':') != host.npos)) return std::nullopt;
  auto url = as_navigable("https://" + std::string(text));
  if (!url) return std::nullopt;
  const std::string& parsed = url->host();
  const std::size_t dot = parsed.rfind('.');
  const bool dotted = dot != std::string::npos && dot > 0 && dot + 1 < parsed.size();
  const bool has_path = host_end < text.size() && text[host_end] == '/';
  if (is_ip(parsed)) {
    // 1.5 is a number, and the parser reads it as an address.
    const bool whole = bracketed || count(host, ".") == 3;
    return whole ? std::move(url) : std::nullopt;
  }
  if (!dotted) {
    // "and/or" and "10:30" are no hosts; "localhost:3000" and "localhost/x" are.
    const bool is_host = has_port || (has_path && parsed == "localhost");
    const bool has_letter = std::ranges::any_of(parsed, is_ascii_letter);
    return is_host && has_letter ? std::move(url) : std::nullopt;
  }
  if (has_port || host.starts_with("www.") || host.starts_with("WWW.")) return url;
  const std::string last = parsed.substr(dot + 1);
  if (last.size() < 2 || std::ranges::any_of(last, is_ascii_digit)) {
    if (!last.starts_with("xn--")) return std::nullopt;
  }
  // "src/main.py" and "notes.txt/x" are files; "docs.rs/serde" names a host.
  if (!has_path && is_file_extension(last)) return std::nullopt;
  return url;
}

bool has_scheme(std::string_view text) {
  const std::string start = lowercase(text.substr(0, 8));
  return start.starts_with("http:") || start.starts_with("https:");
}

// The address in a word, if there is one.
std::optional<OperatorUrl> address_in(std::string_view word) {
  // "see:https://a.test" and "[text](https://a.test)" hold it further on.
  const std::string lowered = lowercase(word);
  for (const std::string_view scheme : {"https://", "http://"}) {
    const std::size_t at = lowered.find(scheme);
    if (at == std::string::npos || at == 0 || lowered.size() != word.size()) continue;
    const CodePoint before = code_point_before(word, at);
    const bool goes_on = is_word_character(before.value) && !is_unspaced(before.value);
    if (goes_on || before.value == '+' || before.value == '-') continue;
    // A URL inside another one is that one's data.
    if (lowered.substr(0, at).find('/') != std::string::npos) continue;
    word = until_closing(word.substr(at));
    break;
  }
  while (drop_front(word)) {
  }
  while (drop_back(word)) {
  }
  if (word.empty()) return std::nullopt;
  if (has_scheme(word)) {
    auto url = as_navigable(word);
    return url ? std::optional(OperatorUrl{*std::move(url), true}) : std::nullopt;
  }
  auto url = bare_address(word);
  return url ? std::optional(OperatorUrl{*std::move(url), false}) : std::nullopt;
}

}  // namespace

std::vector<OperatorUrl> operator_urls(std::string_view text) {
  std::vector<OperatorUrl> urls;
  for (std::size_t at = skip_spaces(text, 0); at < text.size();) {
    const std::size_t end = find_space(text, at);
    if (auto url = address_in(text.substr(at, end - at))) urls.push_back(*std::move(url));
    at = skip_spaces(text, end);
  }
  return urls;
}

}  // namespace agentlock
