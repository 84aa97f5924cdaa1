#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace agentlock::cli::demo {

/// Printable ASCII of a text that a page may have had a hand in, cut to a line:
/// other characters come escaped, so that they can't steer a terminal.
std::string shown(std::string_view text);

/// The demo's account of itself on standard output, for a person: coloured on a
/// terminal (NO_COLOR is heeded), plain elsewhere.
class Report {
 public:
  Report();

  void heading(std::string_view text);
  /// A numbered step: what happens now.
  void step(std::string_view title);
  /// One labelled line of a step.
  void line(std::string_view label, std::string_view text);
  /// A gate block (tools.md): from where the value came and what was decided by whom.
  void decision(const Json& gate);
  /// Whether the step came out as it must; counts those that didn't.
  void outcome(bool as_expected, std::string_view otherwise);
  std::size_t unexpected() const { return unexpected_; }
  /// The last line.
  void verdict();

 private:
  enum class Colour { kBold, kRed, kGreen, kYellow, kFaint };
  std::string paint(Colour colour, std::string_view text) const;
  bool coloured_ = false;
  std::size_t steps_ = 0;
  std::size_t unexpected_ = 0;
};

}  // namespace agentlock::cli::demo
