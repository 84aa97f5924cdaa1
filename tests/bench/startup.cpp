// How long after exec does the server answer? Side by side with `cat`, which answers the
// same line as soon as it runs, so that the machine's own share can be told apart.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include "cli/demo_process.hpp"
#include "support/scratch_folder.hpp"

namespace {

using namespace agentlock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr int kRounds = 200;

constexpr const char* kDiscover =
    R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
    "\n";

// From before exec to the end of the first line that comes back; -1 on a failure.
double answer_time(const cli::demo::Launch& launch) {
  const auto begin = std::chrono::steady_clock::now();
  auto process = cli::demo::PipedProcess::start(launch);
  if (!process) return -1;
  const std::string line = kDiscover;
  if (::write(process->input().get(), line.data(), line.size()) !=
      static_cast<ssize_t>(line.size())) {
    return -1;
  }
  std::string answer;
  while (answer.find('\n') == std::string::npos) {
    pollfd ready{process->output().get(), POLLIN, 0};
    if (poll(&ready, 1, 10'000) != 1) return -1;
    char bytes[4096];
    const ssize_t got = ::read(process->output().get(), bytes, sizeof bytes);
    if (got <= 0) return -1;
    answer.append(bytes, static_cast<std::size_t>(got));
  }
  return Milliseconds(std::chrono::steady_clock::now() - begin).count();
}

double at(std::vector<double> times, double share) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: startup BINARY\n");
    return 2;
  }
  const test::ScratchFolder home;
  cli::demo::Launch server;
  server.program = argv[1];
  server.environment = cli::demo::minimal_environment(home.path());
  cli::demo::Launch cat;
  cat.program = "/bin/cat";
  std::vector<double> ours;
  std::vector<double> theirs;
  for (int round = 0; round < kRounds; ++round) {
    ours.push_back(answer_time(server));
    theirs.push_back(answer_time(cat));
    if (ours.back() < 0 || theirs.back() < 0) {
      std::fprintf(stderr, "startup: no answer in round %d\n", round);
      return 1;
    }
  }
  std::printf("server/discover answered after exec, %d rounds, ms\n", kRounds);
  std::printf("                     median    p90\n");
  std::printf("agentlock-browser   %7.2f %6.2f\n", at(ours, 0.5), at(ours, 0.9));
  std::printf("cat                 %7.2f %6.2f\n", at(theirs, 0.5), at(theirs, 0.9));
  std::printf("ratio of medians    %7.2f\n", at(ours, 0.5) / at(theirs, 0.5));
  return 0;
}
