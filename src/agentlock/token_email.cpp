#include "agentlock/token_email.hpp"

// A search that tries each position as the start of a local part is quadratic in a
// long run of letters. Here the search goes from one `@` to the next: the local part
// is the whole run of its characters before it (back to the end of the last match,
// as matches do not overlap), and the host is the whole run after it, cut back to
// the letters that follow the last full stop with two letters behind it. No local
// part and no host holds an `@`, so each character is looked at a bounded number of
// times.

namespace agentlock {
namespace {

// Of the letters beyond ASCII, none.
constexpr ByteSet kLocalBytes =
    byte_set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-");

std::size_t local_start(std::string_view text, std::size_t at, std::size_t floor) {
  for (;;) {
    while (at > floor && kLocalBytes[static_cast<unsigned char>(text[at - 1])]) --at;
    if (at == floor || is_ascii(text[at - 1])) return at;
    const std::size_t letter = long_grammar_letter_before(text, at);
    if (letter == 0) return at;
    at -= letter;
  }
}

// The end of the longest host that begins at `begin`, or `begin` if none does.
std::size_t host_end(std::string_view text, std::size_t begin) {
  std::size_t best = begin;
  std::size_t at = begin;
  while (at < text.size()) {
    if (text[at] == '.' && at > begin) {
      std::size_t end = at + 1;
      std::size_t letters = 0;
      while (const std::size_t letter = grammar_letter_at(text, end)) {
        end += letter;
        ++letters;
      }
      if (letters >= 2) best = end;
      at = end;
    } else if (const std::size_t letter = grammar_letter_at(text, at)) {
      at += letter;
    } else if (is_ascii_digit(text[at]) || text[at] == '.' || text[at] == '-') {
      ++at;
    } else {
      break;
    }
  }
  return best;
}

}  // namespace

void find_emails(std::string_view text, std::vector<TextRange>& found) {
  std::size_t floor = 0;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    const std::size_t begin = local_start(text, at, floor);
    if (begin == at) continue;
    const std::size_t end = host_end(text, at + 1);
    if (end == at + 1) continue;
    found.push_back({begin, end});
    floor = end;
  }
}

}  // namespace agentlock
