#pragma once

namespace agentlock::mcp {

/// The two descriptors of a stdio connection; -1 is one that can't be used.
struct StandardStreams {
  int input = -1;
  int output = -1;
};

/// Moves standard input and output to descriptors of their own, closed at exec, and
/// puts /dev/null in their place (and in that of a standard error that was closed).
/// So nothing but the connection can read or write the client's pipes: no stray
/// print, and no child that inherits them. Call it first of all in a process, before
/// anything else could get the number of a standard descriptor that was closed.
StandardStreams take_standard_streams();

/// Remembers a descriptor's status flags and gives them back when it goes away.
/// O_NONBLOCK, which Asio sets, belongs to the open file, and that may be the
/// terminal of the shell that started us. The descriptor must still be open then.
class KeptFlags {
 public:
  explicit KeptFlags(int descriptor);
  ~KeptFlags();
  KeptFlags(const KeptFlags&) = delete;
  KeptFlags& operator=(const KeptFlags&) = delete;

 private:
  int descriptor_;
  int flags_;
};

}  // namespace agentlock::mcp
