#include "cli/hook.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "agentlock/clock.hpp"
#include "agentlock/operator_prompt.hpp"
#include "agentlock/signing_key.hpp"
#include "base/descriptor.hpp"
#include "base/json.hpp"
#include "base/random_id.hpp"
#include "base/task.hpp"
#include "cli/hook_input.hpp"
#include "cli/hook_transcript.hpp"
#include "cli/state_folder.hpp"
#include "tools/channel_folder.hpp"
#include "tools/channel_message.hpp"
#include "tools/operator_channel.hpp"

// It runs before each prompt of a person who waits. All waits share one deadline, and an
// alarm ends what no deadline reaches, such as a home folder on a network that is gone.
// The order (keep first, then look for servers) is explained in tools/channel_folder.cpp.

namespace agentlock::cli {
namespace {

constexpr std::size_t kMaxInput = std::size_t{4} << 20U;
constexpr auto kLongest = std::chrono::milliseconds(1'500);
constexpr timeval kAlarm{2, 0};

void give_up(int /*signal*/) {
  constexpr std::string_view kLine = "agentlock-browser hook: gave up after two seconds\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(0);
}

void set_alarm() {
  struct sigaction action{};
  action.sa_handler = give_up;
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval once{{0, 0}, kAlarm};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

void say(std::string_view what) { std::cerr << "agentlock-browser hook: " << what << '\n'; }

bool wait_for(int descriptor, short events, Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  pollfd polled{descriptor, events, 0};
  return left.count() > 0 && ::poll(&polled, 1, static_cast<int>(left.count())) > 0;
}

Result<std::string> read_all(int descriptor, std::size_t limit, Deadline deadline) {
  std::string text;
  std::array<char, 65536> piece{};
  while (text.size() <= limit) {
    if (!wait_for(descriptor, POLLIN, deadline)) {
      return fail(ErrorCode::kTimeout, "it did not come in time");
    }
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got == 0) return text;
    if (got < 0 && errno != EINTR && errno != EAGAIN) return fail_with_errno("reading");
    if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return fail(ErrorCode::kLimit, "it is too long");
}

// The pid that Claude Code gives its hooks.
std::optional<std::int64_t> named_client() {
  const char* const text = std::getenv("CLAUDE_PID");
  if (text == nullptr) return std::nullopt;
  std::int64_t pid = 0;
  const char* const end = text + std::strlen(text);
  const auto read = std::from_chars(text, end, pid);
  // What is no number names no process, and so none that is common.
  return read.ec == std::errc() && read.ptr == end ? pid : 0;
}

Result<tools::ChannelAnswer> hand_over(const std::string& address, const std::string& line,
                                       Deadline deadline) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (address.size() >= sizeof name.sun_path) {
    return fail(ErrorCode::kLimit, "a socket's address is too long");
  }
  address.copy(name.sun_path, address.size());
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open() ||
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
    // It starts, and will read what is kept, or it ends.
    if (errno == ECONNREFUSED || errno == ENOENT) {
      return fail(ErrorCode::kNotFound, "the server does not listen");
    }
    return fail_with_errno("connecting to the server");
  }
  for (std::string_view rest = line; !rest.empty();) {
    if (!wait_for(socket.get(), POLLOUT, deadline)) {
      return fail(ErrorCode::kTimeout, "the server does not read");
    }
    const ssize_t put = ::send(socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR && errno != EAGAIN) return fail_with_errno("writing");
    if (put > 0) rest.remove_prefix(static_cast<std::size_t>(put));
  }
  ::shutdown(socket.get(), SHUT_WR);
  auto answer = read_all(socket.get(), 4096, deadline);
  if (!answer) return fail(answer.error(), "the server's answer");
  return tools::ChannelAnswer::parse(*std::move(answer));
}

// Why the prompt is not for the servers, if it is not.
std::string refused(const HookInput& input, Author author) {
  if (author == Author::kModel) return "the model wrote it, for a tool that says it later";
  if (input.prompt.size() > tools::ChannelMessage::kMaxPrompt) return "it is too long";
  if (input.prompt.find('\0') != std::string::npos) return "it holds a NUL character";
  const auto prompt = read_operator_prompt(input.prompt);
  return prompt ? "" : prompt.error().message();
}

tools::ChannelMessage message_of(const HookInput& input) {
  const Author author = author_of(input.prompt, input.transcript, input.folder);
  tools::ChannelMessage message;
  message.id = random_hex(8);
  message.way = "claude-code";
  message.session = input.session;
  message.said_at = SystemClock().now();
  message.refused = refused(input, author);
  if (message.refused.empty()) message.prompt = input.prompt;
  message.unchecked = author == Author::kUnknown;
  message.named_client = named_client();
  message.ancestors = tools::ancestor_chain(::getpid());
  return message;
}

Result<void> deliver(const tools::ChannelMessage& message, Deadline deadline) {
  AGENTLOCK_TRY(state, state_folder(std::getenv("HOME"), std::getenv("XDG_STATE_HOME")));
  AGENTLOCK_TRY(folder, tools::ChannelFolder::open(state));
  folder.sweep();
  const auto client = likely_client(message.ancestors, message.named_client);
  if (!client) return fail(ErrorCode::kRefused, "no client started this hook");
  const bool is_kept = message.refused.empty();
  if (is_kept) {
    if (auto kept = folder.keep(*client, message); !kept) say(kept.error().describe());
  }
  const std::string line = to_line(message.to_json());
  bool heard = false;
  bool for_later = true;
  std::string trouble;
  for (const Ancestor& server : folder.servers()) {
    const auto above = tools::ancestor_chain(static_cast<pid_t>(server.pid));
    if (!common_client(above, message.ancestors, message.named_client)) continue;
    const auto answer =
        hand_over(folder.address(tools::ChannelFolder::server_name(server)), line, deadline);
    if (!answer) {
      if (answer.error().code() != ErrorCode::kNotFound) trouble = answer.error().describe();
      continue;
    }
    heard = true;
    if (!answer->why.empty()) trouble = answer->why;
    // A server that is started later has not read the pages that this one has.
    if (!answer->why.empty() || answer->echoes > 0) for_later = false;
  }
  if (is_kept && !for_later) folder.forget(*client, message);
  if (!trouble.empty()) return fail(ErrorCode::kRefused, std::move(trouble));
  if (!message.refused.empty()) return fail(ErrorCode::kRefused, message.refused);
  if (!heard) say("no server of this client is up yet: the prompt is kept for it");
  return {};
}

Result<void> take_prompt() {
  const Deadline deadline = after(kLongest);
  auto text = read_all(STDIN_FILENO, kMaxInput, deadline);
  if (!text) return fail(text.error(), "the hook's input");
  AGENTLOCK_TRY(input, read_hook_input(*std::move(text)));
  return deliver(message_of(input), deadline);
}

}  // namespace

int hook_command(std::span<const std::string> arguments) {
  if (arguments.size() != 1 || arguments[0] != "user-prompt") {
    std::cerr << "usage: agentlock-browser hook user-prompt\n";
    return 1;  // 2 would hold the prompt back
  }
  set_alarm();
  // Whatever anything would print there would be said to the model.
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDOUT_FILENO);
  try {
    if (const auto done = take_prompt(); !done) {
      say("the prompt was not recorded: " + done.error().describe());
    }
  } catch (const std::exception& error) {
    say(std::string("the prompt was not recorded: ") + error.what());
  }
  return 0;
}

}  // namespace agentlock::cli
