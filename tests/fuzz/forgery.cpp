#include "fuzz/forgery.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "agentlock/log_line.hpp"
#include "fuzz/genuine_log.hpp"

namespace agentlock::fuzz {
namespace {

constexpr int kMostEdits = 16;
constexpr std::size_t kMaxSize = std::size_t{256} << 10U;

constexpr std::array<std::string_view, 16> kMembers = {
    "session",   "seq",       "ts",           "event",          "prev",    "hash",
    "signature", "seal",      "public_key",   "signing_key_id", "receipt", "receipt_id",
    "decision",  "timestamp", "clock_back_s", "reason"};

using Lines = std::vector<std::string>;

// Each line with its LF; the last may lack it.
Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

struct Range {
  std::size_t begin;
  std::size_t size;
};

// Where the value of a member stands, as text: up to the comma or bracket after it.
std::optional<Range> value_in(const std::string& line, std::string_view member) {
  const std::string name = '"' + std::string(member) + "\":";
  const std::size_t found = line.find(name);
  if (found == std::string::npos) return std::nullopt;
  const std::size_t begin = found + name.size();
  int depth = 0;
  bool in_string = false;
  std::size_t end = begin;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (in_string) {
      if (c == '\\') ++end;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth-- == 0) break;
    } else if (c == ',' && depth == 0) {
      break;
    }
  }
  return Range{begin, std::min(end, line.size()) - begin};
}

void exchange_member(Lines& lines, std::size_t to, std::size_t from, std::string_view member) {
  const auto taken = value_in(lines[from], member);
  const auto place = value_in(lines[to], member);
  if (!taken || !place) return;
  const std::string value = lines[from].substr(taken->begin, taken->size);
  lines[to].replace(place->begin, place->size, value);
}

void write_member(std::string& line, std::string_view member, const std::string& value) {
  const auto place = value_in(line, member);
  if (place) line.replace(place->begin, place->size, value);
}

// Leaves out what the session of a line went on with.
void cut_tail(Lines& lines, std::size_t after) {
  const auto name = value_in(lines[after], "session");
  if (!name) return;
  const std::string start = lines[after].substr(0, name->begin + name->size);
  const auto next = lines.begin() + static_cast<std::ptrdiff_t>(after) + 1;
  lines.erase(std::remove_if(next, lines.end(),
                             [&](const std::string& line) { return line.starts_with(start); }),
              lines.end());
}

void edit_lines(std::string& text, FuzzedDataProvider& input) {
  Lines lines = lines_of(text);
  if (lines.empty()) return;
  const std::size_t one = input.ConsumeIntegralInRange<std::size_t>(0, lines.size() - 1);
  const std::size_t other = input.ConsumeIntegralInRange<std::size_t>(0, lines.size() - 1);
  const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
  switch (input.ConsumeIntegralInRange(0, 6)) {
    case 0:
      lines.erase(lines.begin() + at(one));
      break;
    case 1:
      std::swap(lines[one], lines[other]);
      break;
    case 2: {
      const std::string copy = lines[one];
      lines.insert(lines.begin() + at(other), copy);
      break;
    }
    case 3:
      exchange_member(lines, one, other, input.PickValueInArray(kMembers));
      break;
    case 4:
      cut_tail(lines, one);
      break;
    case 5: {
      const std::string_view member = input.PickValueInArray(kMembers);
      write_member(lines[one], member, input.ConsumeRandomLengthString(80));
      break;
    }
    default:
      lines[one].insert(lines[one].size() / 2, lines[other].substr(lines[other].size() / 2));
      break;
  }
  text = joined(lines);
}

void edit_bytes(std::string& text, FuzzedDataProvider& input) {
  const std::size_t at = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
  switch (input.ConsumeIntegralInRange(0, 3)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(input.ConsumeIntegral<std::uint8_t>());
      break;
    case 1:
      text.insert(at, input.ConsumeRandomLengthString(80));
      break;
    case 2:
      text.erase(at, input.ConsumeIntegralInRange<std::size_t>(1, 200));
      break;
    default:
      text.resize(at);
      break;
  }
}

// Each line of the form of one gets the link and the hash that it should have.
void chain_anew(std::string& text) {
  std::map<std::string, std::string> heads;
  Lines lines = lines_of(text);
  for (std::string& line : lines) {
    std::string whole = line.ends_with('\n') ? line.substr(0, line.size() - 1) : line;
    const std::string session = session_of(whole);
    if (session.empty()) continue;
    std::string& head = heads.try_emplace(session, first_prev()).first->second;
    write_member(whole, "prev", '"' + head + '"');
    const auto parts = split_line(whole);
    if (!parts) continue;
    std::string open(parts->body);
    const std::string prev = head;
    close_line(open, prev, head);
    line = open;
  }
  text = joined(lines);
}

}  // namespace

std::string forged(const std::string& log, const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  std::string text = log;
  const bool anew = input.ConsumeBool();
  for (int i = 0; i < kMostEdits && input.remaining_bytes() > 0; ++i) {
    input.ConsumeBool() ? edit_lines(text, input) : edit_bytes(text, input);
    if (text.size() > kMaxSize) text.resize(kMaxSize);
  }
  if (anew) chain_anew(text);
  return text;
}

}  // namespace agentlock::fuzz
