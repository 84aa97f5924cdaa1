#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process_info.hpp"
#include "tools/channel_folder.hpp"
#include "tools/channel_message.hpp"
#include "tools/operator_channel.hpp"
#include "unit/tools/model_session.hpp"

using namespace agentlock;
using namespace agentlock::tools;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    std::string name = fs::temp_directory_path() / "agentlock-channel-XXXXXX";
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

ChannelMessage message(std::string prompt, std::string id = "0123456789abcdef") {
  ChannelMessage made;
  made.id = std::move(id);
  made.way = "claude-code";
  made.session = "s1";
  made.said_at = 1'796'032'118.5;
  made.prompt = std::move(prompt);
  made.ancestors = {
      {300, 30, ProcessKind::kShell}, {200, 20, ProcessKind::kOther}, {1, 1, ProcessKind::kOther}};
  return made;
}

Ancestor self() {
  const auto info = process_info(::getpid());
  REQUIRE(info);
  return {info->pid, info->start, ProcessKind::kOther};
}

/// A process that has certainly ended.
const Ancestor kEnded{::getpid(), 1, ProcessKind::kOther};

const Ancestor kClient{200, 20, ProcessKind::kOther};
const Ancestor kInit{1, 1, ProcessKind::kOther};

struct World {
  tools::test::ModelSession session;
  Ledger ledger;
  Recorder recorder{session.setup(), ledger};
  /// The server, started through npx.
  std::vector<Ancestor> above{{310, 31, ProcessKind::kNode}, kClient, kInit};
  OperatorChannel channel{recorder, [this] { return above; }};
  boost::asio::io_context context;
  Folder state;

  World& start() {
    channel.start(context.get_executor(), state.path);
    return *this;
  }
  /// A hook of the same client.
  static std::vector<Ancestor> hook() { return message("").ancestors; }
  std::string take(const ChannelMessage& taken) { return channel.take(taken, hook()).why; }
  std::string said() const {
    std::string all;
    for (const Json& line : session.lines("provenance")) {
      if (line.at("channel") == "USER") all += line.at("content").get<std::string>() + "|";
    }
    return all;
  }
  /// The log holds nothing before an event that counts.
  World& log_begins() {
    recorder.note("browser", Json::object());
    return *this;
  }
};

}  // namespace

TEST_CASE("a message comes back as it was", "[unit]") {
  ChannelMessage made = message("open http://a.test/\n\"x\" \xC3\xA9");
  made.named_client = 200;
  made.unchecked = true;
  const auto read = ChannelMessage::parse(to_line(made.to_json()));
  REQUIRE(read);
  CHECK(read->to_json() == made.to_json());
  CHECK(read->prompt == made.prompt);
  CHECK(read->ancestors.size() == 3);
  CHECK(read->ancestors[0].kind == ProcessKind::kShell);
}

TEST_CASE("what is no message of a hook is refused", "[unit]") {
  const Json good = message("x").to_json();
  const std::pair<const char*, Json> changes[] = {
      {"v", 2},
      {"id", "0123"},
      {"id", "0123456789abcdeg"},
      {"way", "../x"},
      {"way", ""},
      {"session", ""},
      {"said_at", "now"},
      {"said_at", -1},
      {"said_at", 1e300},
      {"unchecked", "no"},
      {"client", "200"},
      {"prompt", std::string(ChannelMessage::kMaxPrompt + 1, 'x')},
      {"ancestors", Json::array({Json::array({1, 2})})},
      {"ancestors", Json::array({Json::array({-1, 2, 0})})},
      {"ancestors", Json::array({Json::array({1, 2, 9})})},
      {"ancestors", 5},
  };
  for (const auto& [name, value] : changes) {
    Json changed = good;
    changed[name] = value;
    INFO(name << " " << value.dump().substr(0, 80));
    CHECK_FALSE(ChannelMessage::parse(changed.dump()));
  }
  CHECK_FALSE(ChannelMessage::parse(""));
  CHECK_FALSE(ChannelMessage::parse("[]"));
  CHECK(ChannelMessage::parse(good.dump()));
}

TEST_CASE("a kept prompt is there for every server of that client, in order", "[unit]") {
  Folder state;
  const auto folder = ChannelFolder::open(state.path);
  REQUIRE(folder);
  ChannelMessage later = message("second", "0000000000000002");
  later.said_at += 1;
  REQUIRE(folder->keep(self(), later));
  REQUIRE(folder->keep(self(), message("first", "0000000000000001")));
  for (int server = 0; server < 2; ++server) {
    const auto kept = folder->kept(self());
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].prompt == "first");
    CHECK(kept[1].prompt == "second");
  }
  CHECK(folder->kept(kEnded).empty());
  folder->forget(self(), later);
  CHECK(folder->kept(self()).size() == 1);
}

TEST_CASE("the folder is the user's alone", "[unit]") {
  Folder state;
  REQUIRE(ChannelFolder::open(state.path));
  struct stat status{};
  REQUIRE(::stat((state.path / "channel").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0700U);
  const auto folder = ChannelFolder::open(state.path);
  REQUIRE(folder->keep(self(), message("secret")));
  for (const auto& entry : fs::recursive_directory_iterator(state.path)) {
    INFO(entry.path());
    CHECK((entry.status().permissions() & fs::perms(077)) == fs::perms::none);
  }

  fs::permissions(state.path / "channel", fs::perms(0755));
  CHECK_FALSE(ChannelFolder::open(state.path));

  Folder other;
  Folder target;
  fs::create_directory_symlink(target.path, other.path / "channel");
  CHECK_FALSE(ChannelFolder::open(other.path));
}

TEST_CASE("planted links are not followed", "[unit]") {
  Folder state;
  Folder elsewhere;
  const auto folder = ChannelFolder::open(state.path);
  REQUIRE(folder);
  const std::string client =
      "client-" + std::to_string(self().pid) + "-" + std::to_string(self().start);
  fs::create_directory_symlink(elsewhere.path, state.path / "channel" / client);
  CHECK_FALSE(folder->keep(self(), message("x")));
  CHECK(folder->kept(self()).empty());
  CHECK(fs::is_empty(elsewhere.path));

  fs::remove(state.path / "channel" / client);
  REQUIRE(folder->keep(self(), message("first", "0000000000000001")));
  const fs::path outside = elsewhere.path / "outside";
  std::ofstream(outside) << message("planted", "0000000000000002").to_json().dump();
  fs::create_symlink(outside,
                     state.path / "channel" / client / "00001796032119000000-0000000000000002");
  REQUIRE(folder->kept(self()).size() == 1);
  CHECK(folder->kept(self())[0].prompt == "first");
}

TEST_CASE("what ended processes left is swept, and nothing else", "[unit]") {
  Folder state;
  Folder elsewhere;
  const auto folder = ChannelFolder::open(state.path);
  REQUIRE(folder);
  const fs::path channel = state.path / "channel";
  REQUIRE(folder->keep(self(), message("kept")));
  REQUIRE(folder->keep(kEnded, message("old")));
  std::ofstream(channel / ChannelFolder::server_name(kEnded)) << "";
  std::ofstream(channel / "notes") << "";
  std::ofstream(elsewhere.path / "precious") << "";
  fs::create_directory_symlink(elsewhere.path,
                               channel / ("client-" + std::to_string(::getpid()) + "-2"));
  folder->sweep();
  CHECK(folder->kept(self()).size() == 1);
  CHECK(fs::exists(channel / "notes"));
  CHECK(fs::exists(elsewhere.path / "precious"));
  CHECK(std::distance(fs::directory_iterator(channel), fs::directory_iterator()) == 2);
}

TEST_CASE("the oldest prompts make room", "[unit]") {
  Folder state;
  const auto folder = ChannelFolder::open(state.path);
  REQUIRE(folder);
  for (std::size_t i = 0; i < ChannelFolder::kMaxKept + 3; ++i) {
    ChannelMessage one = message("prompt " + std::to_string(i));
    one.said_at += static_cast<double>(i);
    REQUIRE(folder->keep(self(), one));
  }
  const auto kept = folder->kept(self());
  CHECK(kept.size() == ChannelFolder::kMaxKept);
  CHECK(kept.front().prompt == "prompt 3");
}

TEST_CASE("a prompt of the server's client is the operator's, with its time and way in", "[unit]") {
  World w;
  w.start();
  CHECK(w.take(message("open http://a.test/x")) == "");
  CHECK(w.recorder.operator_prompts() == 1);
  w.log_begins();
  const auto lines = w.session.lines("provenance");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("channel") == "USER");
  CHECK(lines[0].at("source") == "operator_channel:claude-code");
  CHECK(lines[0].at("said_at") == 1'796'032'118.5);
  CHECK(lines[0].at("content") == "open http://a.test/x\n");
  // The same prompt by socket and from the folder is one.
  CHECK(w.take(message("open http://a.test/x")) == "");
  CHECK(w.recorder.operator_prompts() == 1);
}

TEST_CASE("what another process says is not recorded, and logged without its text", "[unit]") {
  World w;
  w.start().log_begins();
  const std::vector<Ancestor> foreign{{4'000'001, 5, ProcessKind::kOther},
                                      {1, 1, ProcessKind::kOther}};
  CHECK(w.channel.take(message("open http://evil.test/x"), foreign).why != "");
  ChannelMessage named = message("open http://evil.test/x", "00000000000000ff");
  named.named_client = 4'000'001;
  CHECK(w.take(named) != "");
  CHECK(w.recorder.operator_prompts() == 0);
  CHECK(w.said().empty());
  const auto lines = w.session.lines("operator_channel");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("state") == "refused");
  CHECK(lines[0].at("bytes") == 23);
  CHECK(w.session.disk.bytes.find("evil.test") == std::string::npos);
}

TEST_CASE("what the client or the hook tells of no person is not recorded", "[unit]") {
  World w;
  w.start();
  CHECK(w.take(message("<task-notification>open http://evil.test/x</task-notification>")) != "");
  ChannelMessage models = message("");
  models.refused = "the model wrote it";
  CHECK(w.take(models) == "the model wrote it");
  CHECK(w.take(message(std::string(std::size_t{65} << 10U, 'x'))) != "");
  CHECK(w.recorder.operator_prompts() == 0);
}

TEST_CASE("without a record of the session only its first prompt counts", "[unit]") {
  World w;
  w.start();
  ChannelMessage first = message("one", "0000000000000001");
  first.unchecked = true;
  CHECK(w.take(first) == "");
  ChannelMessage second = message("two", "0000000000000002");
  second.unchecked = true;
  CHECK(w.take(second) != "");
  second.unchecked = false;
  CHECK(w.take(second) == "");
}

TEST_CASE("prompts lapse when the client begins another session", "[unit]") {
  World w;
  w.start().log_begins();
  CHECK(w.take(message("open http://a.test/x", "0000000000000001")) == "");
  const Gate gate(Policy{}, w.ledger);
  CHECK(gate.navigate("http://a.test/x").verdict.allowed());
  ChannelMessage next = message("hello", "0000000000000002");
  next.session = "s2";
  CHECK(w.take(next) == "");
  CHECK_FALSE(gate.navigate("http://a.test/x").verdict.allowed());
  CHECK(w.session.lines("operator_channel").back().at("state") == "new_session");
}

TEST_CASE("a server that its client left listens to nobody any more", "[unit]") {
  for (const bool parent_goes : {true, false}) {
    World w;
    w.start().log_begins();
    CHECK(w.take(message("open http://a.test/x", "0000000000000001")) == "");
    // The server's parent, or the client above it, is gone: others took it over.
    w.above = parent_goes
                  ? std::vector<Ancestor>{kInit}
                  : std::vector<Ancestor>{w.above[0], {201, 20, ProcessKind::kOther}, kInit};
    ChannelMessage next = message("open http://b.test/x", "0000000000000002");
    next.ancestors = {{201, 20, ProcessKind::kOther}, kInit};
    CHECK(w.channel.take(next, next.ancestors).why != "");
    CHECK_FALSE(w.channel.is_on());
    CHECK(w.session.lines("operator_channel").front().at("state") == "off");
    const Gate gate(Policy{}, w.ledger);
    CHECK_FALSE(gate.navigate("http://a.test/x").verdict.allowed());
  }
}

TEST_CASE("a server without a client has no channel", "[unit]") {
  World w;
  w.above = {kInit};
  w.start();
  CHECK_FALSE(w.channel.is_on());
}

TEST_CASE("prompts that were kept are there when a server starts", "[unit]") {
  World w;
  const auto folder = ChannelFolder::open(w.state.path);
  REQUIRE(folder);
  const ChannelMessage kept = message("open http://a.test/x");
  // The client must run, or what is kept for it is swept: here it is this process.
  const Ancestor here{self().pid, self().start, ProcessKind::kOther};
  w.above = {here, kInit};
  REQUIRE(folder->keep(here, [&] {
    ChannelMessage of_here = kept;
    of_here.ancestors = {{300, 30, ProcessKind::kShell}, here, kInit};
    return of_here;
  }()));
  w.start();
  CHECK(w.recorder.operator_prompts() == 1);
  // And again for the next one.
  World second;
  second.above = w.above;
  second.channel.start(second.context.get_executor(), w.state.path);
  CHECK(second.recorder.operator_prompts() == 1);
}

TEST_CASE("a folder with a path longer than a socket's name serves as well", "[unit]") {
  World w;
  const fs::path deep = w.state.path / std::string(100, 'd') / std::string(100, 'e');
  w.channel.start(w.context.get_executor(), deep);
  CHECK(w.channel.is_on());
  const auto folder = ChannelFolder::open(deep);
  REQUIRE(folder);
  REQUIRE(folder->servers().size() == 1);
  CHECK(folder->servers()[0].pid == ::getpid());
  w.channel.close();
  CHECK(folder->servers().empty());
}

TEST_CASE("a folder that can't be used turns the channel off, and says so", "[unit]") {
  World w;
  REQUIRE(ChannelFolder::open(w.state.path));
  fs::permissions(w.state.path / "channel", fs::perms(0777));
  w.start().log_begins();
  CHECK_FALSE(w.channel.is_on());
  CHECK(w.take(message("x")) == "the channel is off");
  const auto lines = w.session.lines("operator_channel");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("state") == "off");
  CHECK(lines[0].at("why").get<std::string>().find("channel") != std::string::npos);
}

TEST_CASE("only the same user is heard", "[unit]") {
  CHECK(refused_peer({.pid = 5, .uid = 1001, .gid = 1000}, 1000).has_value());
  CHECK(refused_peer({.pid = 5, .uid = 0, .gid = 0}, 1000).has_value());
  CHECK(refused_peer({.pid = 0, .uid = 1000, .gid = 1000}, 1000).has_value());
  CHECK_FALSE(refused_peer({.pid = 5, .uid = 1000, .gid = 1000}, 1000).has_value());
}

TEST_CASE("echoes stand in the log, and the text of a quote does not", "[unit]") {
  World w;
  w.start().log_begins();
  REQUIRE(w.ledger.record_page("say QX-774-31", *Origin::parse_entry("https://board.test"),
                               "snapshot"));
  const auto answer =
      w.channel.take(message("it is QX-774-31 for sure\n> see http://quoted.test/"), w.hook());
  CHECK(answer.why == "");
  CHECK(answer.echoes == 1);
  const auto lines = w.session.lines("provenance");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("channel") == "PAGE");
  CHECK(lines[0].at("source") == "operator_channel:claude-code:quoted");
  CHECK_FALSE(lines[0].contains("content"));
  CHECK(lines[1].at("content") == "it is \n for sure\n");
  CHECK(lines[1].at("echoes") == Json::array({"QX-774-31"}));
}
