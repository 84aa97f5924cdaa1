#include "base/descriptor.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace agentlock {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

void Descriptor::reset() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Result<DescriptorPair> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_with_errno("making a pipe");
  return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<DescriptorPair> make_socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return fail_with_errno("making a pair of sockets");
  }
  return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

tl::unexpected<Error> fail_with_errno(std::string doing) {
  return fail_with_errno(std::move(doing), errno);
}

tl::unexpected<Error> fail_with_errno(std::string doing, int number) {
  return fail(ErrorCode::kIo, std::move(doing) + ": " + std::generic_category().message(number));
}

}  // namespace agentlock
