#include "agentlock/result.hpp"

namespace agentlock {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kStale:
      return "stale";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kNetwork:
      return "network";
    case ErrorCode::kTargetGone:
      return "target_gone";
    case ErrorCode::kBrowserGone:
      return "browser_gone";
    case ErrorCode::kProtocol:
      return "protocol";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

std::string Error::describe() const {
  std::string text = message_;
  for (const Error* error = cause(); error != nullptr; error = error->cause()) {
    text += ": " + error->message();
  }
  return text;
}

tl::unexpected<Error> fail(Error cause, std::string doing) {
  const ErrorCode code = cause.code();
  return tl::unexpected<Error>(
      Error(code, std::move(doing), std::make_shared<const Error>(std::move(cause))));
}

}  // namespace agentlock
