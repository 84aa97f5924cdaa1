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
//   * The leftmost host begins in the first part that ends like a label and has such a
//     tail, at its first character that is no hyphen. Where a part has none, none of the
//     labels up to the part that ended the search for it has one either.
//   * A scheme counts only directly before the host, and only if the match before has
//     not used its letters.
//
// What is left of the run after the match is searched in the same way. Each character is
// looked at a bounded number of times.

#include <algorithm>

namespace agentlock {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMinLength = 4;

// Of the letters beyond ASCII, none.
constexpr ByteSet kRunBytes =
    byte_set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-");

bool in_run(char byte) { return kRunBytes[static_cast<unsigned char>(byte)]; }

std::size_t run_start(std::string_view text, std::size_t at, std::size_t floor) {
  for (;;) {
    while (at > floor && in_run(text[at - 1])) --at;
    if (at == floor || is_ascii(text[at - 1])) return at;
    const std::size_t letter = long_grammar_letter_before(text, at);
    if (letter == 0) return at;
    at -= letter;
  }
}

std::size_t run_end(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && in_run(text[at])) ++at;
    if (at == text.size() || is_ascii(text[at])) return at;
    const std::size_t letter = long_grammar_letter_at(text, at);
    if (letter == 0) return at;
    at += letter;
  }
}

TextRange part_at(std::string_view text, std::size_t begin, std::size_t run_end) {
  return {begin, std::min(text.substr(0, run_end).find('.', begin), run_end)};
}

// The end of the letters that a part begins with, if they are two, else kNone.
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

bool is_label(std::string_view text, TextRange part) {
  return ends_as_label(text, part) && text[part.begin] != '-';
}

struct Tail {
  std::size_t stop;          // where the last part that was looked at begins
  std::size_t end = kNone;   // of the last tail's letters
  std::size_t part = kNone;  // where the part begins that has them
};

// The tail of a host whose first label ends at `stop`, a full stop of the run.
Tail find_tail(std::string_view text, std::size_t stop, std::size_t run_end) {
  Tail tail{stop + 1};
  for (;;) {
    const TextRange part = part_at(text, tail.stop, run_end);
    if (const std::size_t end = tail_end(text, part); end != kNone) {
      tail.end = end;
      tail.part = part.begin;
    }
    if (part.end == run_end || !is_label(text, part)) return tail;
    tail.stop = part.end + 1;
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
    std::size_t at = run.begin;  // what is before it is used up
    for (std::size_t begin = run.begin; begin < run.end;) {
      const TextRange part = part_at(text_, begin, run.end);
      if (part.end == run.end) return;
      std::size_t host = std::max(at, part.begin);
      while (host < part.end && text_[host] == '-') ++host;
      if (host >= part.end || !ends_as_label(text_, part)) {
        begin = part.end + 1;
        continue;
      }
      const Tail tail = find_tail(text_, part.end, run.end);
      if (tail.end == kNone) {
        begin = tail.stop;
        continue;
      }
      std::size_t end = tail.end;
      if (end < text_.size() && text_[end] == '/') end = find_space(text_, end);
      found_.push_back({scheme_start(text_, host, floor_), end});
      floor_ = end;
      at = end;
      if (end >= run.end) return;
      begin = tail.part;
    }
  }

  std::string_view text_;
  std::vector<TextRange>& found_;
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
      lowered.find('.') != std::string_view::npos && has_code_points(lowered, kMinLength);
  return kept ? lowered : std::string_view();
}

}  // namespace agentlock
