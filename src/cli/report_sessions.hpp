#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "cli/report_model.hpp"

namespace agentlock::cli::report {

/// The sessions of a log, as many as a page could show. A log can have a million:
/// those that have nothing on the page are forgotten, the longest untouched first.
class SessionBook {
 public:
  /// `most_entries` is how many entries a page has: as each belongs to one session,
  /// there is always one to forget.
  explicit SessionBook(std::size_t most_entries) : most_(most_entries + kSpare) {}

  /// The session, with `line` as its last; made anew if it is not known.
  Session& touch(const std::string& name, std::uint64_t line);
  /// Null if it was forgotten.
  Session* find(const std::string& name);

  /// Those with something on the page, in the order of their first lines, and the
  /// last kSpare of the others.
  std::vector<Session> take();

  static constexpr std::size_t kSpare = 32;

 private:
  void forget(std::size_t keep_idle);
  std::size_t most_;
  std::unordered_map<std::string, Session> sessions_;
};

}  // namespace agentlock::cli::report
