#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>

#include "cli/report_text.hpp"

namespace agentlock::cli::report {

/// Markup that stands in our own source: nothing but a literal becomes one.
class Markup {
 public:
  template <std::size_t N>
  consteval Markup(const char (&literal)[N]) : text_(literal, N - 1) {}
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// Writes a page. There are two ways in, and no third: markup is a literal, and every
/// other text is escaped. A plain string given as markup does not compile.
class Html {
 public:
  explicit Html(std::ostream& out) : out_(out) {}

  Html& operator<<(Markup markup) {
    out_ << markup.text();
    return *this;
  }
  /// Digits, for attributes and sentences.
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  Html& operator<<(T number) {
    out_ << +number;
    return *this;
  }
  /// A coordinate of a picture, with one decimal.
  Html& operator<<(double coordinate);

  /// A text of ours that is made at run time; it may hold parts of the log.
  Html& text(std::string_view text) {
    out_ << shown(text);
    return *this;
  }
  /// A text of the log, kept apart from what surrounds it: its direction ends with it,
  /// and where it is cut the page says so.
  Html& data(const Excerpt& excerpt);
  /// The same for an address or a value whose characters must stand in their order,
  /// whatever their script.
  Html& exact(const Excerpt& excerpt);

 private:
  Html& cut_note(const Excerpt& excerpt);
  std::ostream& out_;
};

}  // namespace agentlock::cli::report
