#include "tools/turn.hpp"

#include <algorithm>

namespace agentlock::tools {

Task<std::optional<Turns::Turn>> Turns::take(Deadline deadline) {
  const std::uint64_t ticket = next_++;
  waiting_.push_back(ticket);
  Turn turn(*this, ticket);
  const bool mine =
      co_await changed_.until([this, ticket] { return waiting_.front() == ticket; }, deadline);
  if (!mine) co_return std::nullopt;
  co_return std::optional<Turn>(std::move(turn));
}

void Turns::leave(std::uint64_t ticket) {
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), ticket), waiting_.end());
  changed_.notify();
}

}  // namespace agentlock::tools
