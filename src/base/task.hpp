#pragma once

#include <chrono>
#include <exception>
#include <string_view>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <tl/expected.hpp>

namespace agentlock {

template <typename T>
using Task = boost::asio::awaitable<T>;

using Executor = boost::asio::any_io_executor;

/// Every wait has one.
using Deadline = std::chrono::steady_clock::time_point;

inline Deadline after(std::chrono::milliseconds duration) {
  return std::chrono::steady_clock::now() + duration;
}

/// A completion handler for co_spawn that logs what a coroutine threw: with
/// `detached` an exception would vanish.
struct LogFailure {
  std::string_view what;
  void operator()(std::exception_ptr failure) const;
};

}  // namespace agentlock

/// AGENTLOCK_TRY of result.hpp, in a coroutine.
#define AGENTLOCK_CO_TRY(name, expression)                                        \
  auto name##_result = (expression);                                              \
  if (!name##_result) co_return tl::unexpected(std::move(name##_result).error()); \
  auto& name = *name##_result
