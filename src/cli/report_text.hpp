#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agentlock::cli::report {

/// The beginning of a text of the log, and how long the whole is: a log may hold texts
/// of megabytes, and a page is for reading.
struct Excerpt {
  std::string text;         ///< bytes as they stand in the log; not safe to print
  std::uint64_t bytes = 0;  ///< of the whole

  bool empty() const { return bytes == 0; }
  bool cut() const { return text.size() < bytes; }
};

/// In bytes: what a person acts on (an address, a value, words), and all else.
inline constexpr std::size_t kLongText = 2'000;
inline constexpr std::size_t kShortText = 300;

Excerpt excerpt(std::string_view text, std::size_t most = kShortText);

/// A text of the log as HTML that shows it and does nothing else, in an element or in
/// an attribute: markup is escaped, and so is what can't be seen or moves what can be
/// (controls, line ends, formats such as bidi overrides, spaces but for the ordinary
/// one, unassigned code points, piles of combining marks, bytes that are not UTF-8).
/// Those are shown as `\n`, `\u{202E}` or `\xFF`, marked so that they differ from a
/// text that has these letters. Source: attacks.md A59.
std::string shown(std::string_view text);

/// 1,234,567.
std::string grouped(std::uint64_t number);
/// "17 bytes", "4.2 KB", "1.3 GB": decimal units.
std::string size_words(std::uint64_t bytes);
/// "1 line", "1,200 lines".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace agentlock::cli::report
