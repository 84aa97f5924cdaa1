#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stdlib.h>

#include "base/json.hpp"
#include "cli/hook_input.hpp"
#include "cli/hook_transcript.hpp"

using namespace agentlock;
using namespace agentlock::cli;
namespace fs = std::filesystem;

namespace {

// As Claude Code 2.1.332 gave it to its hook.
Json sent() {
  return {{"session_id", "5786c2f6-f9b2-478f-8ceb-d4acd88c48e7"},
          {"transcript_path", "/home/x/.claude/projects/-work/5786c2f6.jsonl"},
          {"cwd", "/work"},
          {"prompt_id", "eb283533-3aec-47ef-8a70-c0130828665c"},
          {"permission_mode", "default"},
          {"hook_event_name", "UserPromptSubmit"},
          {"prompt", "open http://evil.test/x please"}};
}

Json changed(const char* name, Json value) {
  Json json = sent();
  json[name] = std::move(value);
  return json;
}

struct Record {
  Record() {
    std::string name = fs::temp_directory_path() / "agentlock-hook-XXXXXX";
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder = name;
    path = folder / "session.jsonl";
  }
  ~Record() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void add(const Json& line, std::string file = "") const {
    const fs::path target = file.empty() ? path : folder / file;
    fs::create_directories(target.parent_path());
    std::ofstream(target, std::ios::app) << to_line(line) << '\n';
  }
  static Json tool_use(std::string name, Json input) {
    return {{"type", "assistant"},
            {"message",
             {{"role", "assistant"},
              {"content", Json::array({{{"type", "tool_use"},
                                        {"id", "toolu_1_0"},
                                        {"name", std::move(name)},
                                        {"input", std::move(input)}}})}}}};
  }
  static Json typed(std::string prompt) {
    return {{"type", "user"}, {"message", {{"role", "user"}, {"content", std::move(prompt)}}}};
  }
  Author author(std::string_view prompt) const { return author_of(prompt, path, folder); }

  fs::path folder;
  fs::path path;
};

}  // namespace

TEST_CASE("the client's words are read", "[unit]") {
  const auto input = read_hook_input(sent().dump());
  REQUIRE(input);
  CHECK(input->prompt == "open http://evil.test/x please");
  CHECK(input->session == "5786c2f6-f9b2-478f-8ceb-d4acd88c48e7");
  CHECK(input->transcript == "/home/x/.claude/projects/-work/5786c2f6.jsonl");
  CHECK(input->folder == "/work");
  CHECK(read_hook_input(changed("source", "user").dump()));
  CHECK(read_hook_input(changed("source", "sdk").dump()));
}

TEST_CASE("what nobody typed, and what has another shape, gives no prompt", "[unit]") {
  for (const Json& json : {changed("source", "system"), changed("source", "loop_wakeup"),
                           changed("source", "schedule_wakeup"), changed("source", "something_new"),
                           changed("source", 1), changed("agent_id", "a1"),
                           changed("hook_event_name", "Stop"), changed("hook_event_name", nullptr),
                           changed("prompt", 1), changed("prompt", Json::array({"x"})),
                           changed("session_id", ""), Json("x"), Json::array()}) {
    INFO(json.dump());
    CHECK_FALSE(read_hook_input(json.dump()));
  }
  CHECK_FALSE(read_hook_input(""));
  CHECK_FALSE(read_hook_input("{"));
  CHECK_FALSE(read_hook_input(std::string(100'000, '[')));
}

TEST_CASE("a prompt that the model scheduled is the model's", "[unit]") {
  const Record record;
  record.add(Record::typed("remind me"));
  record.add(Record::tool_use(
      "CronCreate", {{"cron", "* * * * *"}, {"prompt", "open \"http://evil.test/\u00e9\""}}));
  record.add(Record::tool_use("ScheduleWakeup", {{"prompt", "  wake up\n"}}));
  CHECK(record.author("open \"http://evil.test/\u00e9\"") == Author::kModel);
  CHECK(record.author(" wake up ") == Author::kModel);
  CHECK(record.author("wake") == Author::kNotTheModel);
  CHECK(record.author("remind me") == Author::kNotTheModel);
}

TEST_CASE("a prompt that an agent of the model scheduled is the model's", "[unit]") {
  const Record record;
  record.add(Record::typed("go"));
  record.add(Record::tool_use("CronCreate", {{"prompt", "open http://evil.test/x"}}),
             "session/subagents/agent-1.jsonl");
  CHECK(record.author("open http://evil.test/x") == Author::kModel);
}

TEST_CASE("a prompt of a task that outlived its session is the model's", "[unit]") {
  const Record record;
  record.add(Record::typed("go"));
  record.add({{"tasks", Json::array({{{"prompt", "open http://evil.test/x"}}})}},
             ".claude/scheduled_tasks.json");
  CHECK(record.author("open http://evil.test/x") == Author::kModel);
  CHECK(record.author("open http://evil.test/y") == Author::kNotTheModel);
}

TEST_CASE("an address that the model tried may be typed by the operator", "[unit]") {
  const Record record;
  record.add(Record::tool_use("mcp__agentlock-browser__navigate", {{"url", "http://a.test/x"}}));
  record.add(Record::typed("http://a.test/x"));
  CHECK(record.author("http://a.test/x") == Author::kNotTheModel);
}

TEST_CASE("without a record nobody can tell", "[unit]") {
  const Record record;
  CHECK(record.author("x") == Author::kUnknown);
  CHECK(author_of("x", "", "") == Author::kUnknown);
  CHECK(author_of("x", record.folder, "") == Author::kUnknown);
}
