#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/task.hpp"

namespace agentlock::test {

/// The decision log as it stands on disk (gate.md, section 9).
class LogReader {
 public:
  explicit LogReader(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  /// The bytes; empty if there is no file.
  std::string bytes() const;
  /// The complete lines, in order. A line that is no JSON object throws: a test that
  /// reads such a log has failed.
  std::vector<Json> events() const;
  /// Those of one kind: decision, provenance, session_start, ...
  std::vector<Json> events(std::string_view kind) const;
  std::vector<Json> decisions() const { return events("decision"); }
  /// The decisions that are "deny", or "allow".
  std::vector<Json> denials() const { return decided("deny"); }
  std::vector<Json> allowed() const { return decided("allow"); }

  /// The first line, written already or to come, that fits.
  std::optional<Json> wait_for(const std::function<bool(const Json&)>& fits,
                               Deadline deadline) const;

 private:
  std::vector<Json> decided(std::string_view verdict) const;
  std::string path_;
};

}  // namespace agentlock::test
