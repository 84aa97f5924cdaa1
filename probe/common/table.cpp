#include "common/table.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

namespace agentlock::probe {

Table::Table(std::vector<std::string> heading) {
  std::vector<std::string> rule(heading.size(), "---");
  rows_ = {std::move(heading), std::move(rule)};
}

void Table::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

void Table::print() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string cell = row[i];
      cell.resize(widths[i], ' ');
      std::cout << "| " << cell << ' ';
    }
    std::cout << "|\n";
  }
  std::cout << std::endl;
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

}  // namespace agentlock::probe
