#include "agentlock/value_cover.hpp"

#include <algorithm>

#include "agentlock/file_extension.hpp"
#include "agentlock/spelling.hpp"
#include "agentlock/token_url.hpp"

namespace agentlock {
namespace {

constexpr std::string_view kOpening = "\"'([{<";
constexpr std::string_view kClosing = "\"')]}>,;:!?.";
// What joins the words of a name; a full stop only before a file extension.
constexpr std::string_view kJoins = "-/+&=:,;|";

class Cover {
 public:
  Cover(std::string_view text, const std::vector<WrittenForm>& forms,
        const OperatorText& operator_text)
      : text_(text), operator_text_(operator_text), known_(text.size(), false) {
    for (const WrittenForm& written : forms) {
      if (!operator_text.has_form(written.forms)) continue;
      for (std::size_t at = written.range.begin; at < written.range.end; ++at) known_[at] = true;
    }
  }

  std::vector<TextRange> uncovered(TextRange chunk) const {
    std::vector<TextRange> parts;
    visit(chunk, parts);
    return parts;
  }

 private:
  bool is_known(TextRange part) const {
    for (std::size_t at = part.begin; at < part.end; ++at) {
      if (!known_[at]) return false;
    }
    return true;
  }

  bool is_operators(TextRange part) const {
    std::string_view text = piece(text_, part);
    if (is_known(part) || operator_text_.stands(text) || operator_text_.has_word(text)) return true;
    if (!text.ends_with("'s")) return false;
    text.remove_suffix(2);
    return operator_text_.has_word(text);
  }

  static bool is_digit_at(std::string_view text, std::size_t at) {
    return at < text.size() && is_ascii_digit(text[at]);
  }

  // Splits at what joins words; where a digit stands on both sides it is part of a
  // number, and at an end it is a sign.
  std::vector<TextRange> split(TextRange part, std::string_view joins) const {
    std::vector<TextRange> parts;
    std::size_t begin = part.begin;
    for (std::size_t at = part.begin; at < part.end; ++at) {
      if (known_[at] || joins.find(text_[at]) == joins.npos) continue;
      const bool in_number = at > part.begin && is_ascii_digit(text_[at - 1]) && !known_[at - 1] &&
                             is_digit_at(text_.substr(0, part.end), at + 1) && !known_[at + 1];
      if (in_number) continue;
      parts.push_back({begin, at});
      begin = at + 1;
    }
    parts.push_back({begin, part.end});
    return parts;
  }

  bool names_host(TextRange part) const {
    std::vector<TextRange> urls;
    const std::string_view text = piece(text_, part);
    find_urls(text, urls);
    return std::ranges::any_of(urls, [&](TextRange url) {
      const std::string_view found = piece(text, url);
      const std::string_view host = found.substr(0, found.find('/', found.find("//") + 2));
      return !is_file_extension(host.substr(host.rfind('.') + 1));
    });
  }

  void visit_all(const std::vector<TextRange>& parts, std::vector<TextRange>& uncovered) const {
    for (const TextRange part : parts) visit(part, uncovered);
  }

  void visit(TextRange part, std::vector<TextRange>& uncovered) const {
    if (part.begin < part.end && is_operators(part)) return;
    const std::string_view text = piece(text_, part);
    const auto is_whole = [&](const std::vector<TextRange>& parts) {
      return std::ranges::all_of(parts, [](TextRange p) { return p.begin < p.end; });
    };
    if (text.find('@') == text.npos) {
      if (const auto parts = split(part, "_"); parts.size() > 1 && is_whole(parts)) {
        return visit_all(parts, uncovered);
      }
      const std::size_t dot = text.rfind('.');
      const bool is_file = dot != text.npos && dot > 0 && is_file_extension(text.substr(dot + 1));
      if (is_file) return visit({part.begin, part.begin + dot}, uncovered);
      if (!names_host(part)) {
        if (const auto parts = split(part, kJoins); parts.size() > 1 && is_whole(parts)) {
          return visit_all(parts, uncovered);
        }
      }
    }
    uncovered.push_back(part);
  }

  std::string_view text_;
  const OperatorText& operator_text_;
  std::vector<bool> known_;  // by byte: in a written form of the operator's
};

}  // namespace

TextRange without_punctuation(std::string_view text, TextRange range) {
  while (range.begin < range.end && kOpening.find(text[range.begin]) != kOpening.npos) {
    ++range.begin;
  }
  while (range.end > range.begin && kClosing.find(text[range.end - 1]) != kClosing.npos) {
    --range.end;
  }
  return range;
}

std::vector<ValueChunk> cover(std::string_view spelled, const std::vector<WrittenForm>& forms,
                              const OperatorText& operator_text) {
  std::vector<ValueChunk> chunks;
  const Cover covering(spelled, forms, operator_text);
  for (std::size_t at = skip_spaces(spelled, 0); at < spelled.size();) {
    const std::size_t end = find_space(spelled, at);
    const TextRange chunk = without_punctuation(spelled, {at, end});
    at = skip_spaces(spelled, end);
    if (chunk.begin == chunk.end || words_of(piece(spelled, chunk)).empty()) continue;
    chunks.push_back({chunk, covering.uncovered(chunk)});
  }
  return chunks;
}

}  // namespace agentlock
