#pragma once

#include <string>
#include <vector>

namespace agentlock::probe {

/// Rows of text with a heading, printed as a Markdown table for a REPORT.md.
class Table {
 public:
  explicit Table(std::vector<std::string> heading);
  void add(std::vector<std::string> row);
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string yes_or_no(bool value);

}  // namespace agentlock::probe
