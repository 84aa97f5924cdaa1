#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace agentlock {

/// What kind of failure it was; what a caller can do about it follows from it.
enum class ErrorCode {
  kInvalidArgument,  ///< the caller gave something malformed: correct it
  kNotFound,         ///< what was named does not exist
  kStale,            ///< what was named belongs to an earlier page load: read again
  kRefused,          ///< a rule of ours forbids it
  kTimeout,          ///< a deadline passed
  kCancelled,        ///< the client took the request back
  kNetwork,          ///< the site could not be reached or did not answer properly
  kTargetGone,       ///< the tab or frame crashed, closed or was replaced
  kBrowserGone,      ///< Chromium ended or its connection closed
  kProtocol,         ///< the other side said something that its protocol does not allow
  kIo,               ///< the operating system refused a file or a process
  kLimit,            ///< a bound of ours was reached
  kInternal,         ///< a fault of our own
};

std::string_view to_string(ErrorCode code);

/// An expected failure: a code, a sentence (what happened, to what, what to do)
/// and, where it came from another failure, that one.
class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message, std::shared_ptr<const Error> cause = nullptr)
      : code_(code), message_(std::move(message)), cause_(std::move(cause)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const Error* cause() const { return cause_.get(); }

  /// The message followed by those of its causes, joined by ": ".
  std::string describe() const;

 private:
  ErrorCode code_;
  std::string message_;
  std::shared_ptr<const Error> cause_;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error(code, std::move(message)));
}

/// Passes a failure up and says what was being done.
tl::unexpected<Error> fail(Error cause, std::string doing);

}  // namespace agentlock

/// Declares `name` as the value of `expression`, or returns its error.
#define AGENTLOCK_TRY(name, expression)                                        \
  auto name##_result = (expression);                                           \
  if (!name##_result) return tl::unexpected(std::move(name##_result).error()); \
  auto& name = *name##_result
