#pragma once

#include <array>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace agentlock::test {

/// A pipe in place of this process's stderr, as long as it lives.
class CapturedStderr {
 public:
  CapturedStderr() : real_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
    auto pipe = make_pipe();
    if (!pipe || !real_.is_open()) std::abort();
    ends_ = std::move(*pipe);
    ::dup2(ends_.second.get(), STDERR_FILENO);
    ends_.second.reset();
    ::fcntl(ends_.first.get(), F_SETFL, O_NONBLOCK);
  }
  CapturedStderr(const CapturedStderr&) = delete;
  ~CapturedStderr() { ::dup2(real_.get(), STDERR_FILENO); }

  /// What was written since the last call.
  std::string take() {
    std::string text;
    std::array<char, 4096> piece{};
    for (;;) {
      const auto got = ::read(ends_.first.get(), piece.data(), piece.size());
      if (got <= 0) return text;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
  }
  /// Nobody reads: the pipe takes nothing more.
  void fill() {
    const int flags = ::fcntl(STDERR_FILENO, F_GETFL);
    ::fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
    const std::string filling(4096, '.');
    while (::write(STDERR_FILENO, filling.data(), filling.size()) > 0) {
    }
    ::fcntl(STDERR_FILENO, F_SETFL, flags);
  }
  /// The reader goes away.
  void hang_up() { ends_.first.reset(); }

 private:
  Descriptor real_;
  DescriptorPair ends_;
};

}  // namespace agentlock::test
