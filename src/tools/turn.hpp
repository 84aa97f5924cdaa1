#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "agentlock/result.hpp"
#include "base/signal.hpp"

namespace agentlock::tools {

/// Calls on one tab run one after the other, in the order in which they came. One
/// that is cancelled while it waits leaves the line.
class Turns {
 public:
  explicit Turns(Executor executor) : changed_(std::move(executor)) {}

  class [[nodiscard]] Turn {
   public:
    Turn(Turn&& other) noexcept
        : turns_(std::exchange(other.turns_, nullptr)), ticket_(other.ticket_) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ != nullptr) turns_->leave(ticket_);
    }

   private:
    friend class Turns;
    Turn(Turns& turns, std::uint64_t ticket) : turns_(&turns), ticket_(ticket) {}
    Turns* turns_;
    std::uint64_t ticket_;
  };

  /// Waits for the turn; nothing at the deadline.
  Task<std::optional<Turn>> take(Deadline deadline);

 private:
  void leave(std::uint64_t ticket);

  Signal changed_;
  std::deque<std::uint64_t> waiting_;
  std::uint64_t next_ = 0;
};

}  // namespace agentlock::tools
