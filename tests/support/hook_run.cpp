#include "support/hook_run.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

namespace agentlock::test {
namespace {

// What a closed pipe still holds.
std::string rest_of(const Descriptor& pipe) {
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = ::read(pipe.get(), piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

std::string binary_under_test() {
  const char* other = std::getenv("AGENTLOCK_TEST_BINARY");
  return other != nullptr ? other : AGENTLOCK_BINARY;
}

cli::demo::Finished HookRun::with_input(const std::string& input) const {
  cli::demo::Launch launch;
  launch.arguments = started_by;
  launch.arguments.insert(launch.arguments.end(), {binary_under_test(), "hook", "user-prompt"});
  launch.program = launch.arguments.front();
  launch.arguments.erase(launch.arguments.begin());
  launch.environment = cli::demo::minimal_environment(home);
  launch.environment.insert(launch.environment.end(), environment.begin(), environment.end());
  Result<cli::demo::PipedProcess> hook = cli::demo::PipedProcess::start(launch);
  if (!hook) throw std::runtime_error(hook.error().describe());
  const Deadline deadline = after(std::chrono::seconds(30));
  for (std::string_view left = input; !left.empty();) {
    std::vector<cli::demo::Wait> waits{{hook->input().get(), POLLOUT}};
    if (!cli::demo::wait_for_any(waits, deadline)) throw std::runtime_error("the hook reads not");
    const ssize_t put = ::write(hook->input().get(), left.data(), left.size());
    if (put < 0) break;  // it reads no more, which is its right
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  if (close_input) hook->input().reset();
  std::vector<cli::demo::Wait> waits{{hook->exit_descriptor(), POLLIN}};
  if (!cli::demo::wait_for_any(waits, deadline)) throw std::runtime_error("the hook ends not");
  cli::demo::Finished finished;
  finished.status = *hook->status();
  finished.output = rest_of(hook->output());
  finished.errors = rest_of(hook->errors());
  return finished;
}

cli::demo::Finished HookRun::prompt(const std::string& text, const std::string& session) const {
  const std::filesystem::path record = home / (session + ".jsonl");
  std::ofstream(record, std::ios::app).flush();
  const Json input = {{"session_id", session},
                      {"transcript_path", record.string()},
                      {"cwd", home.string()},
                      {"permission_mode", "default"},
                      {"hook_event_name", "UserPromptSubmit"},
                      {"prompt", text}};
  return with_input(to_line(input));
}

}  // namespace agentlock::test
