#pragma once

#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.hpp"

/// Conversations with a server, written down in .ndjson files: one step a line.
///
///   # text        a remark
///   > message     is sent, with a line feed
///   >\ bytes      are sent as a piece of their own, without a line feed; \r \n \\ \s
///                 (a space) and \xHH are escapes
///   >* N bytes    are sent N times over, as one piece, with the same escapes
///   >.            the input is closed
///   < message     is the next message that comes back
///   <? message    like it, but neighbouring lines of this kind come in any order
///   <.            nothing more comes back, and the output is closed
///
/// Holes in an expected message: "<any>", "<string>" and "<integer>" stand for a
/// value of that kind, the key "<more>" allows members that aren't named, and
/// "<rest>" as the last element of an array allows further ones.
namespace agentlock::wire {

enum class StepKind { kSend, kCloseInput, kExpect, kExpectInAnyOrder, kExpectEnd };

struct Step {
  StepKind kind;
  /// What is sent, or a JSON text that is expected.
  std::string text;
  /// It has to arrive by itself.
  bool is_piece = false;
  std::size_t line = 0;
};

inline std::string unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    const char kind = text.at(++i);
    if (kind == 'r') {
      bytes += '\r';
    } else if (kind == 'n') {
      bytes += '\n';
    } else if (kind == 's') {
      bytes += ' ';
    } else if (kind == 'x') {
      bytes += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      bytes += kind;
    }
  }
  return bytes;
}

inline std::string repeated(std::string_view text) {
  const std::size_t space = text.find(' ');
  const std::size_t times = std::stoul(std::string(text.substr(0, space)));
  const std::string unit = unescaped(text.substr(space + 1));
  std::string bytes;
  for (std::size_t i = 0; i < times; ++i) bytes += unit;
  return bytes;
}

inline std::vector<Step> read_conversation(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no conversation " + path);
  std::vector<Step> steps;
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    const auto starts = [&](std::string_view mark) { return text.starts_with(mark); };
    if (text.empty() || starts("#")) continue;
    if (starts("> ")) {
      steps.push_back({StepKind::kSend, text.substr(2) + "\n", false, line});
    } else if (starts(">\\ ")) {
      steps.push_back({StepKind::kSend, unescaped(text.substr(3)), true, line});
    } else if (starts(">* ")) {
      steps.push_back({StepKind::kSend, repeated(text.substr(3)), true, line});
    } else if (text == ">.") {
      steps.push_back({StepKind::kCloseInput, "", false, line});
    } else if (starts("< ")) {
      steps.push_back({StepKind::kExpect, text.substr(2), false, line});
    } else if (starts("<? ")) {
      steps.push_back({StepKind::kExpectInAnyOrder, text.substr(3), false, line});
    } else if (text == "<.") {
      steps.push_back({StepKind::kExpectEnd, "", false, line});
    } else {
      throw std::runtime_error(path + ":" + std::to_string(line) + ": no such step");
    }
  }
  return steps;
}

inline bool matches(const Json& pattern, const Json& value) {
  if (pattern == "<any>") return true;
  if (pattern == "<string>") return value.is_string();
  if (pattern == "<integer>") return value.is_number_integer();
  if (pattern.is_object()) {
    if (!value.is_object()) return false;
    std::size_t named = 0;
    for (const auto& [key, expected] : pattern.items()) {
      if (key == "<more>") continue;
      const auto found = value.find(key);
      if (found == value.end() || !matches(expected, *found)) return false;
      ++named;
    }
    return pattern.contains("<more>") || named == value.size();
  }
  if (pattern.is_array()) {
    if (!value.is_array()) return false;
    const bool open = !pattern.empty() && pattern.back() == "<rest>";
    const std::size_t named = pattern.size() - (open ? 1 : 0);
    if (open ? value.size() < named : value.size() != named) return false;
    for (std::size_t i = 0; i < named; ++i) {
      if (!matches(pattern[i], value[i])) return false;
    }
    return true;
  }
  // 1 and 1.0 are equal to the library, and different on the wire.
  return pattern.type() == value.type() && pattern == value;
}

}  // namespace agentlock::wire
