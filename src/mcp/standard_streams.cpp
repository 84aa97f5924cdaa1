#include "mcp/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace agentlock::mcp {

StandardStreams take_standard_streams() {
  constexpr int kFirstOther = STDERR_FILENO + 1;
  const StandardStreams streams{fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstOther),
                                fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstOther)};
  // Not closed at exec: a child's standard descriptors are meant to be this one.
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) return streams;
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  if (fcntl(STDERR_FILENO, F_GETFD) < 0) dup2(nothing, STDERR_FILENO);
  if (nothing >= kFirstOther) close(nothing);
  return streams;
}

KeptFlags::KeptFlags(int descriptor)
    : descriptor_(descriptor), flags_(fcntl(descriptor, F_GETFL)) {}

KeptFlags::~KeptFlags() {
  if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_);
}

}  // namespace agentlock::mcp
