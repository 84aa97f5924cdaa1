#include "cli/demo_report.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/encoding.hpp"

namespace agentlock::cli::demo {
namespace {

constexpr std::size_t kMaxShown = 300;

bool is_true(const Json& object, std::string_view key) {
  const Json* value = member(object, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

// What a channel means to somebody who has never heard of one.
std::string in_words(const std::string& channel) {
  if (channel == "USER") return "the operator's own words";
  if (channel == "USER_CONFIRMED") return "the operator's yes";
  if (channel == "ALLOWLIST") return "the operator's allowlist";
  if (channel == "PAGE") return "the page";
  if (channel == "MODEL") return "nobody but the agent";
  return "unknown";
}

}  // namespace

std::string shown(std::string_view text) {
  std::string safe;
  for (const char c : text.substr(0, kMaxShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      safe += c;
    } else {
      safe += "\\x" + to_hex(std::string_view(&c, 1));
    }
  }
  if (text.size() > kMaxShown) safe += "...";
  return safe;
}

Report::Report() {
  const char* terminal = std::getenv("TERM");
  coloured_ = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr &&
              terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string Report::paint(Colour colour, std::string_view text) const {
  if (!coloured_) return std::string(text);
  const char* code = "0";
  switch (colour) {
    case Colour::kBold:
      code = "1";
      break;
    case Colour::kRed:
      code = "1;31";
      break;
    case Colour::kGreen:
      code = "1;32";
      break;
    case Colour::kYellow:
      code = "33";
      break;
    case Colour::kFaint:
      code = "2";
      break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

void Report::heading(std::string_view text) {
  std::cout << '\n' << paint(Colour::kBold, text) << std::endl;
}

void Report::step(std::string_view title) {
  std::string number = std::to_string(++steps_) + ".";
  number.resize(4, ' ');
  std::cout << '\n' << number << paint(Colour::kBold, title) << std::endl;
}

void Report::line(std::string_view label, std::string_view text) {
  std::string padded(label);
  padded.resize(12, ' ');
  std::cout << "    " << paint(Colour::kFaint, padded) << shown(text) << std::endl;
}

void Report::decision(const Json& gate) {
  const std::string channel = string_member(gate, "channel");
  std::string from = channel + ": " + in_words(channel);
  if (const std::string origin = string_member(gate, "origin"); !origin.empty()) {
    from += " (" + origin + ")";
  }
  line("came from", from);
  const bool allowed = is_true(gate, "allowed");
  std::string rule = string_member(gate, "reason");
  if (!rule.empty()) rule = "rule " + rule + ", ";
  rule += "by " + string_member(gate, "decided_by");
  if (const std::string id = string_member(gate, "receipt_id"); !id.empty()) {
    rule += ", receipt " + id;
  }
  std::cout << "    " << paint(Colour::kFaint, "decided     ")
            << (allowed ? paint(Colour::kGreen, "ALLOWED") : paint(Colour::kYellow, "DENIED"))
            << "  " << shown(rule) << std::endl;
}

void Report::outcome(bool as_expected, std::string_view otherwise) {
  if (as_expected) return;
  ++unexpected_;
  std::cout << "    " << paint(Colour::kRed, "NOT AS EXPECTED: ") << shown(otherwise) << std::endl;
}

void Report::verdict() {
  if (unexpected_ == 0) {
    std::cout << '\n' << paint(Colour::kGreen, "Everything came out as expected.") << std::endl;
  } else {
    std::cout << '\n'
              << paint(Colour::kRed,
                       std::to_string(unexpected_) + " outcomes were not as expected.")
              << std::endl;
  }
}

}  // namespace agentlock::cli::demo
