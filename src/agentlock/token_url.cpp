#include "agentlock/token_url.hpp"

// The published grammar is a pattern with backtracking and quadratic in a long run of
// letters. Its matches can be had from left to right, because a host lies within one
// run of letters, digits, hyphens and full stops:
//
//   * A run without a full stop holds no host, so the search goes from one full stop
//     to the next and looks only at the runs around them.
//   * The full stops cut the run into parts. A part is a label if it begins and ends
//     with a letter or digit; a part is a tail if it begins with two letters. A host
//     is a suffix of a label, any number of whole labels, and a tail; of several
//     tails the last counts that is reached over whole labels only.
//   * That last tail is known for each part from the one after it, so one pass from
//     right to left finds it for all parts.
//   * The leftmost host begins in the first part that ends like a label and has a
//     tail, at its first character that is no hyphen. What is left of the run after
//     the match is searched in the same way.
//   * A scheme counts only directly before the host, and only if the match before has
//     not used its letters.
//
// Each character is looked at a bounded number of times.

#include <algorithm>

namespace agentlock {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMinLength = 4;

struct Part {
  TextRange range;
  std::size_t tail_end;   // of the letters that it begins with, or kNone
  std::size_t last_tail;  // the part that ends a host that begins here, or kNone
};

std::size_t run_start(std::string_view text, std::size_t at, std::size_t floor) {
  while (at > floor) {
    const std::size_t letter = grammar_letter_before(text, at);
    if (letter > 0) {
      at -= letter;
    } else if (is_ascii_digit(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '-') {
      --at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t run_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t letter = grammar_letter_at(text, at);
    if (letter > 0) {
      at += letter;
    } else if (is_ascii_digit(text[at]) || text[at] == '.' || text[at] == '-') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t tail_end(std::string_view text, TextRange part) {
  std::size_t end = part.begin;
  std::size_t letters = 0;
  while (end < part.end) {
    const std::size_t letter = grammar_letter_at(text, end);
    if (letter == 0) break;
    end += letter;
    ++letters;
  }
  return letters >= 2 ? end : kNone;
}

bool ends_as_label(std::string_view text, TextRange part) {
  return part.end > part.begin && text[part.end - 1] != '-';
}

void split(std::string_view text, TextRange run, std::vector<Part>& parts) {
  parts.clear();
  for (std::size_t begin = run.begin; begin <= run.end;) {
    const std::size_t stop = std::min(text.find('.', begin), run.end);
    const TextRange range{begin, stop};
    parts.push_back({range, tail_end(text, range), kNone});
    begin = stop + 1;
  }
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    const Part& next = parts[i + 1];
    const bool label = ends_as_label(text, next.range) && text[next.range.begin] != '-';
    if (label && next.last_tail != kNone) {
      parts[i].last_tail = next.last_tail;
    } else if (next.tail_end != kNone) {
      parts[i].last_tail = i + 1;
    }
  }
}

// Where a scheme begins that ends before `host`, or `host`.
std::size_t scheme_start(std::string_view text, std::size_t host, std::size_t floor) {
  const std::string_view before = text.substr(floor, host - floor);
  if (!before.ends_with("://")) return host;
  std::size_t at = host - 3;
  const auto back = [&](char lower) {
    if (at == floor || (text[at - 1] | 0x20) != lower) return false;
    --at;
    return true;
  };
  const auto back_http = [&] { return back('p') && back('t') && back('t') && back('h'); };
  if (back_http()) return at;
  at = host - 3;
  if (text.substr(floor, at - floor).ends_with("\xC5\xBF")) {  // long s
    at -= 2;
  } else if (!back('s')) {
    return host;
  }
  return back_http() ? at : host;
}

class Search {
 public:
  Search(std::string_view text, std::vector<TextRange>& found) : text_(text), found_(found) {}

  void run() {
    std::size_t stop = text_.find('.');
    while (stop != std::string_view::npos) {
      const TextRange run{run_start(text_, stop, floor_), run_end(text_, stop)};
      search(run);
      stop = text_.find('.', std::max(run.end, floor_));
    }
  }

 private:
  void search(TextRange run) {
    split(text_, run, parts_);
    std::size_t at = run.begin;
    for (std::size_t i = 0; i + 1 < parts_.size();) {
      const Part& part = parts_[i];
      std::size_t begin = std::max(at, part.range.begin);
      while (begin < part.range.end && text_[begin] == '-') ++begin;
      if (part.last_tail == kNone || begin >= part.range.end || !ends_as_label(text_, part.range)) {
        ++i;
        continue;
      }
      std::size_t end = parts_[part.last_tail].tail_end;
      if (end < text_.size() && text_[end] == '/') end = find_space(text_, end);
      begin = scheme_start(text_, begin, floor_);
      found_.push_back({begin, end});
      floor_ = end;
      at = end;
      i = part.last_tail;
    }
  }

  std::string_view text_;
  std::vector<TextRange>& found_;
  std::vector<Part> parts_;
  std::size_t floor_ = 0;  // the end of the last match
};

}  // namespace

void find_urls(std::string_view text, std::vector<TextRange>& found) { Search(text, found).run(); }

std::string_view canonical_url(std::string_view lowered) {
  if (lowered.starts_with("http://")) {
    lowered.remove_prefix(7);
  } else if (lowered.starts_with("https://")) {
    lowered.remove_prefix(8);
  }
  if (lowered.starts_with("www.")) lowered.remove_prefix(4);
  const std::size_t last = lowered.find_last_not_of("/.,;:)!?\"'");
  lowered = lowered.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const bool kept =
      lowered.find('.') != std::string_view::npos && count_code_points(lowered) >= kMinLength;
  return kept ? lowered : std::string_view();
}

}  // namespace agentlock
