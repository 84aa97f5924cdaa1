#include <algorithm>

#include "agentlock/spelling.hpp"
#include "agentlock/written_forms.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kMaxGroups = 12;

struct Group {
  TextRange range;
  std::string joined;  // without hyphens; empty if it is no such group
};

Group group_at(std::string_view text, TextRange range) {
  constexpr std::string_view kAround = "\"'()[]{}<>,;:!?.";
  while (range.begin < range.end && kAround.find(text[range.begin]) != kAround.npos) ++range.begin;
  while (range.end > range.begin && kAround.find(text[range.end - 1]) != kAround.npos) --range.end;
  Group group{range, ""};
  const std::string_view code = piece(text, range);
  if (code.empty() || code.front() == '-' || code.back() == '-' || !holds_digit(code)) return group;
  for (const char c : code) {
    if (is_ascii_letter(c) || is_ascii_digit(c)) {
      group.joined += c;
    } else if (c != '-') {
      group.joined.clear();
      break;
    }
  }
  return group;
}

}  // namespace

void append_code_forms(std::string_view spelled, Side side, std::vector<WrittenForm>& found) {
  std::vector<Group> groups;
  for (std::size_t at = skip_spaces(spelled, 0); at < spelled.size();) {
    const std::size_t end = find_space(spelled, at);
    groups.push_back(group_at(spelled, {at, end}));
    at = skip_spaces(spelled, end);
  }
  // Each row of groups, so that the longest one that the other side knows is found.
  for (std::size_t first = 0; first < groups.size(); ++first) {
    std::string joined;
    for (std::size_t last = first; last < std::min(groups.size(), first + kMaxGroups); ++last) {
      const Group& group = groups[last];
      const bool parted = last > first && (groups[last - 1].range.end + 1 != group.range.begin);
      if (group.joined.empty() || parted) break;
      joined += group.joined;
      // A code in one piece is found as it is written.
      if (side == Side::kValue && last == first && piece(spelled, group.range) == joined &&
          joined.size() < 6) {
        continue;
      }
      found.push_back({{groups[first].range.begin, group.range.end}, {"code:" + joined}});
    }
  }
}

}  // namespace agentlock
