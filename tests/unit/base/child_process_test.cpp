#include "base/child_process.hpp"

#include <array>
#include <csignal>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace agentlock {
namespace {

/// A shell that runs `script` with its output in a pipe of ours.
struct Shell {
  explicit Shell(std::string script, std::vector<std::string> environment = {}) {
    auto pipe = make_pipe();
    REQUIRE(pipe);
    auto spawned = ChildProcess::spawn({.program = "/bin/sh",
                                        .arguments = {"sh", "-c", std::move(script)},
                                        .environment = std::move(environment),
                                        .descriptors = {-1, pipe->second.get(), -1}});
    REQUIRE(spawned);
    child.emplace(std::move(*spawned));
    output = std::move(pipe->first);
  }
  ~Shell() {
    child->kill();
    child->wait_for(10s);
  }

  /// All that it writes, up to its end.
  std::string read_all() {
    std::string text;
    std::array<char, 4096> piece{};
    for (;;) {
      const auto got = ::read(output.get(), piece.data(), piece.size());
      if (got <= 0) return text;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
  }

  std::optional<ChildProcess> child;
  Descriptor output;
};

int status_of(Shell& shell) {
  asio::io_context io;
  std::optional<Result<int>> status;
  asio::co_spawn(io, shell.child->exited(io.get_executor()),
                 [&status](std::exception_ptr failure, Result<int> result) {
                   if (!failure) status.emplace(std::move(result));
                 });
  io.run();
  REQUIRE(status);
  REQUIRE(*status);
  return **status;
}

TEST_CASE("a child's exit code is learned without a signal handler", "[unit]") {
  Shell shell("exit 3");
  const int status = status_of(shell);
  CHECK(describe_wait_status(status) == "exit code 3");
  // The same again, and also without an event loop.
  CHECK(status_of(shell) == status);
  CHECK(shell.child->wait_for(0ms) == status);
}

TEST_CASE("a child that was killed says by which signal", "[unit]") {
  Shell shell("kill -STOP $$");
  shell.child->kill();
  CHECK(describe_wait_status(status_of(shell)) == "signal 9 (Killed)");
}

TEST_CASE("a child that lives on is not waited for beyond the limit", "[unit]") {
  Shell shell("kill -STOP $$");
  CHECK_FALSE(shell.child->wait_for(1ms));
  CHECK_FALSE(shell.child->wait_for(0ms));
  shell.child->kill();
  CHECK(shell.child->wait_for(10s));
}

TEST_CASE("a child has the descriptors that it was given and no other", "[unit]") {
  const auto secret = make_pipe();
  REQUIRE(secret);
  // Without CLOEXEC, as libraries leave theirs.
  const int leaked = ::fcntl(secret->second.get(), F_DUPFD, 30);
  Shell shell("cd /proc/self/fd && echo *");
  const std::string listing = shell.read_all();
  ::close(leaked);
  // 3 is the shell's own, of the folder that it lists.
  CHECK((listing == "0 1 2\n" || listing == "0 1 2 3\n"));
}

TEST_CASE("descriptors that lie in each other's places arrive as they were meant", "[unit]") {
  const auto first = make_pipe();
  const auto second = make_pipe();
  REQUIRE(first);
  REQUIRE(second);
  // One is wanted at the other's number, the other far above: a copy that were made
  // below that would be overwritten before its turn.
  const int low = first->second.get();
  constexpr int kHigh = 40;
  std::vector<int> descriptors(kHigh + 1, -1);
  descriptors[static_cast<std::size_t>(low)] = second->second.get();
  descriptors[kHigh] = low;
  auto child = ChildProcess::spawn({.program = "/bin/sh",
                                    .arguments = {"sh", "-c",
                                                  "echo one >/proc/self/fd/" + std::to_string(low) +
                                                      "; echo two >/proc/self/fd/40"},
                                    .environment = {},
                                    .descriptors = descriptors});
  REQUIRE(child);
  REQUIRE(child->wait_for(10s));
  std::array<char, 8> text{};
  CHECK(::read(second->first.get(), text.data(), text.size()) == 4);
  CHECK(std::string(text.data(), 4) == "one\n");
  CHECK(::read(first->first.get(), text.data(), text.size()) == 4);
  CHECK(std::string(text.data(), 4) == "two\n");
}

TEST_CASE("a child has the environment that it was given and no other", "[unit]") {
  ::setenv("AGENTLOCK_TEST_SECRET", "leaked", 1);
  Shell shell("echo ${GIVEN-none} ${AGENTLOCK_TEST_SECRET-none}", {"GIVEN=this"});
  CHECK(shell.read_all() == "this none\n");
  ::unsetenv("AGENTLOCK_TEST_SECRET");
}

TEST_CASE("a child leads a session of its own and ignores no signal that we ignore", "[unit]") {
  const auto before = std::signal(SIGINT, SIG_IGN);
  sigset_t blocked;
  sigset_t mask;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &mask);
  Shell shell("echo; kill -STOP $$");
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  std::signal(SIGINT, before);
  std::array<char, 1> newline{};
  REQUIRE(::read(shell.output.get(), newline.data(), 1) == 1);
  const pid_t pid = shell.child->pid();
  CHECK(::getsid(pid) == pid);
  CHECK(::getsid(pid) != ::getsid(0));
  SECTION("an ignored one") {
    ::kill(pid, SIGINT);
    ::kill(pid, SIGCONT);
    CHECK(describe_wait_status(status_of(shell)) == "signal 2 (Interrupt)");
  }
  SECTION("a blocked one") {
    ::kill(pid, SIGTERM);
    ::kill(pid, SIGCONT);
    CHECK(describe_wait_status(status_of(shell)) == "signal 15 (Terminated)");
  }
}

TEST_CASE("a program that is not there is an error that names it", "[unit]") {
  const auto child = ChildProcess::spawn({.program = "/nonexistent/program",
                                          .arguments = {"program"},
                                          .environment = {},
                                          .descriptors = {}});
  REQUIRE_FALSE(child);
  CHECK(child.error().code() == ErrorCode::kIo);
  CHECK(child.error().message().find("/nonexistent/program") != std::string::npos);
}

TEST_CASE("waiting for a child can be cancelled, and the child lives on", "[unit]") {
  Shell shell("kill -STOP $$");
  asio::io_context io;
  asio::cancellation_signal cancel;
  std::optional<Result<int>> status;
  asio::co_spawn(io, shell.child->exited(io.get_executor()),
                 asio::bind_cancellation_slot(
                     cancel.slot(), [&status](std::exception_ptr failure, Result<int> result) {
                       if (!failure) status.emplace(std::move(result));
                     }));
  while (io.poll() > 0) {
  }
  cancel.emit(asio::cancellation_type::terminal);
  io.restart();
  io.run();
  REQUIRE(status);
  REQUIRE_FALSE(*status);
  CHECK(status->error().code() == ErrorCode::kCancelled);
  CHECK_FALSE(shell.child->wait_for(0ms));
}

}  // namespace
}  // namespace agentlock
