#include "agentlock/receipt_ids.hpp"

#include <algorithm>

#include "base/encoding.hpp"

namespace agentlock {

bool ReceiptIds::add(std::string_view receipt_id, std::uint64_t line) {
  constexpr std::string_view kPrefix = "rcpt_";
  if (!receipt_id.starts_with(kPrefix) || line > UINT32_MAX) return false;
  const std::string_view hex = receipt_id.substr(kPrefix.size());
  if (hex.size() != 24 || hex.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return false;
  }
  Entry entry{{}, static_cast<std::uint32_t>(line)};
  const auto bytes = from_hex(hex);
  std::ranges::copy(*bytes, entry.id.begin());
  entries_.push_back(entry);
  return true;
}

std::optional<std::uint64_t> ReceiptIds::first_reuse() {
  std::ranges::sort(entries_);
  std::optional<std::uint64_t> first;
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.id != entries_[i - 1].id) continue;
    if (!first || entry.line < *first) first = entry.line;
  }
  return first;
}

}  // namespace agentlock
