#pragma once

#include <string>
#include <utility>

#include "agentlock/result.hpp"

namespace agentlock {

/// Owns a file descriptor of the operating system.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// Gives it away.
  int release() { return std::exchange(number_, -1); }
  void reset();

 private:
  int number_ = -1;
};

struct DescriptorPair {
  Descriptor first;
  Descriptor second;
};

/// `first` is read, `second` written; closed in programs that are executed.
Result<DescriptorPair> make_pipe();
/// Two ends of a two-way stream; closed in programs that are executed.
Result<DescriptorPair> make_socket_pair();

/// "<doing>: <what the operating system said>" from errno.
tl::unexpected<Error> fail_with_errno(std::string doing);
tl::unexpected<Error> fail_with_errno(std::string doing, int number);

}  // namespace agentlock
