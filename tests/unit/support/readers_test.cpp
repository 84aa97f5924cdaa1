#include <fstream>
#include <future>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/demo_process.hpp"
#include "support/log_reader.hpp"
#include "support/process_table.hpp"
#include "support/scratch_folder.hpp"

using namespace std::chrono_literals;

namespace agentlock::test {
namespace {

void append(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

}  // namespace

TEST_CASE("a log's complete lines are read and a torn one is left alone") {
  const ScratchFolder folder;
  const LogReader log(folder.file("log.jsonl"));
  CHECK(log.events().empty());
  append(log.path(), "{\"event\":\"decision\",\"decision\":\"deny\"}\n");
  append(log.path(), "{\"event\":\"decision\",\"decision\":\"allow\"}\n{\"event\":\"deci");
  CHECK(log.events().size() == 2);
  CHECK(log.denials().size() == 1);
  CHECK(log.allowed().size() == 1);
  append(log.path(), "\n");
  CHECK_THROWS(log.events());
}

TEST_CASE("waiting for a line ends when somebody writes it") {
  const ScratchFolder folder;
  const LogReader log(folder.file("log.jsonl"));
  auto waiting = std::async(std::launch::async, [&] {
    return log.wait_for([](const Json& event) { return event.at("n") == 2; }, after(10s));
  });
  append(log.path(), "{\"n\":1}\n");
  append(log.path(), "{\"n\":2}\n");
  const auto found = waiting.get();
  REQUIRE(found);
  CHECK(found->at("n") == 2);
  CHECK_FALSE(log.wait_for([](const Json& event) { return event.at("n") == 3; }, after(0ms)));
}

TEST_CASE("a process that mentions a folder is found, and its end is noticed") {
  const ScratchFolder folder;
  cli::demo::Launch launch;
  launch.program = "/bin/cat";
  launch.environment = {{"PROFILE", folder.path()}};
  auto child = cli::demo::PipedProcess::start(launch);
  REQUIRE(child);
  // Only once cat itself runs is the environment that it was given to be seen.
  REQUIRE(::write(child->input().get(), "x", 1) == 1);
  std::vector<cli::demo::Wait> waits{{child->output().get(), POLLIN}};
  REQUIRE(cli::demo::wait_for_any(waits, after(10s)));
  const auto found = processes_mentioning(folder.path().native());
  REQUIRE(found.size() == 1);
  CHECK(found[0].pid == child->pid());
  CHECK(found[0].parent == ::getpid());
  CHECK_FALSE(wait_until_none_mentions(folder.path().native(), after(0ms)));
  child->signal(SIGKILL);
  CHECK(wait_until_none_mentions(folder.path().native(), after(10s)));
}

TEST_CASE("a process tree holds the grandchildren") {
  cli::demo::Launch launch;
  launch.program = "/bin/sh";
  launch.arguments = {"-c", "cat; true"};
  auto child = cli::demo::PipedProcess::start(launch);
  REQUIRE(child);
  // The shell passes what it reads on through its own child, which therefore runs.
  REQUIRE(::write(child->input().get(), "x", 1) == 1);
  std::vector<cli::demo::Wait> waits{{child->output().get(), POLLIN}};
  REQUIRE(cli::demo::wait_for_any(waits, after(10s)));
  const auto tree = process_tree(child->pid());
  REQUIRE(tree.size() == 2);
  CHECK(tree[0].pid == child->pid());
  CHECK(tree[1].parent == child->pid());
  const pid_t grandchild = tree[1].pid;
  child->signal(SIGKILL);
  child->input().reset();
  CHECK(wait_until_ended(grandchild, after(10s)));
}

}  // namespace agentlock::test
