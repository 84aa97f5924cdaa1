#include "agentlock/client_lineage.hpp"

#include <vector>

#include <catch2/catch.hpp>

// attacks.md F42: whose prompts a server takes.

using namespace agentlock;

namespace {

using Chain = std::vector<Ancestor>;
constexpr auto kShell = ProcessKind::kShell;
constexpr auto kNode = ProcessKind::kNode;
constexpr auto kNpm = ProcessKind::kPackageRunner;
constexpr auto kTyped = ProcessKind::kInteractiveShell;
constexpr auto kOther = ProcessKind::kOther;

const Ancestor kClient{200, 20, kOther};
const Ancestor kTerminal{100, 10, kOther};
const Ancestor kInit{1, 1, kOther};

std::string client(const Chain& server, const Chain& hook,
                   std::optional<std::int64_t> named = std::nullopt) {
  const auto found = common_client(server, hook, named);
  return found ? std::to_string(found->pid) : "refused";
}

ProcessKind kind(std::string_view executable, std::vector<std::string> arguments) {
  return process_kind(executable, arguments);
}

}  // namespace

TEST_CASE("a hook of the server's own client is heard", "[unit]") {
  CHECK(client({kClient, kTerminal, kInit}, {{300, 30, kShell}, kClient, kTerminal, kInit}) ==
        "200");
  CHECK(client({kClient, kTerminal, kInit}, {{300, 30, kShell}, kClient, kTerminal, kInit}, 200) ==
        "200");
  CHECK(client({kClient, kInit}, {kClient, kInit}) == "200");
}

TEST_CASE("a start through npx is seen through", "[unit]") {
  const Chain server{{310, 31, kNode}, {309, 31, kShell}, {308, 31, kNpm}, kClient, kInit};
  CHECK(client(server, {{400, 40, kShell}, kClient, kInit}) == "200");
  const Chain hook{{410, 41, kNode},  {409, 41, kShell}, {408, 41, kNpm},
                   {407, 41, kShell}, kClient,           kInit};
  CHECK(client(server, hook) == "200");
}

TEST_CASE("a client that is node itself is one", "[unit]") {
  const Ancestor node{200, 20, kNode};
  CHECK(client({node, kTerminal, kInit}, {{300, 30, kShell}, node, kTerminal, kInit}) == "200");
}

TEST_CASE("another client's hook is not heard", "[unit]") {
  const Ancestor other{500, 50, kOther};
  CHECK(client({kClient, kTerminal, kInit}, {{300, 30, kShell}, other, kTerminal, kInit}) ==
        "refused");
  CHECK(client({kClient, kTerminal, kInit}, {{300, 30, kShell}, other, kTerminal, kInit}, 500) ==
        "refused");
  // Two clients that are node, started by one shell, or by one terminal.
  const Ancestor one{200, 20, kNode};
  const Ancestor two{500, 50, kNode};
  const Ancestor typed{150, 15, kTyped};
  CHECK(client({one, typed, kTerminal}, {{300, 30, kShell}, two, typed, kTerminal}) == "refused");
  CHECK(client({one, kTerminal}, {{300, 30, kShell}, two, kTerminal}, 500) == "refused");
}

TEST_CASE("a client that the client started is another", "[unit]") {
  const Ancestor inner{500, 50, kOther};
  const Chain hook{{600, 60, kShell}, inner, {300, 30, kShell}, kClient, kInit};
  CHECK(client({kClient, kInit}, hook) == "refused");
  CHECK(client({kClient, kInit}, hook, 500) == "refused");
  // The other way round: the outer client's prompt is none of the inner's server.
  CHECK(client({inner, {300, 30, kShell}, kClient, kInit}, {{600, 60, kShell}, kClient, kInit},
               200) == "refused");
}

TEST_CASE("a program between the client and its hook needs the client's word", "[unit]") {
  const Chain hook{{600, 60, kOther}, {300, 30, kShell}, kClient, kInit};
  CHECK(client({kClient, kInit}, hook) == "refused");
  CHECK(client({kClient, kInit}, hook, 200) == "200");
}

TEST_CASE("who was left by its client has none", "[unit]") {
  CHECK(client({kInit}, {{300, 30, kShell}, kClient, kInit}) == "refused");
  CHECK(client({}, {kClient}) == "refused");
  CHECK(client({{310, 31, kNode}, kInit}, {{300, 30, kNode}, kInit}) == "refused");
}

TEST_CASE("a pid that is used again names another process", "[unit]") {
  CHECK(client({kClient, kInit}, {{300, 30, kShell}, {200, 21, kOther}, kInit}) == "refused");
}

TEST_CASE("a shell is no client", "[unit]") {
  CHECK(client({{200, 20, kTyped}, kTerminal}, {{200, 20, kTyped}, kTerminal}) == "refused");
  CHECK(client({{200, 20, kShell}, kTerminal}, {{200, 20, kShell}, kTerminal}) == "refused");
}

TEST_CASE("processes are known by what runs and how it was started", "[unit]") {
  CHECK(kind("dash", {"sh", "-c", "agentlock-browser hook user-prompt"}) == kShell);
  CHECK(kind("bash", {"bash", "-lc", "x"}) == kShell);
  CHECK(kind("bash", {"/bin/bash", "/usr/bin/wrapper"}) == kShell);
  CHECK(kind("bash", {"-bash"}) == kTyped);
  CHECK(kind("zsh", {"zsh", "-l", "-i"}) == kTyped);
  CHECK(kind("bash", {"bash", "--norc"}) == kTyped);
  CHECK(kind("node", {"node", "/opt/wrapper.js"}) == kNode);
  CHECK(kind("node", {"npm exec @agentlock/browser"}) == kNpm);
  CHECK(kind("node", {"node", "/usr/bin/npx", "x"}) == kNpm);
  CHECK(kind("node", {"/usr/bin/node", "/usr/lib/node_modules/npm/bin/npm-cli.js", "exec"}) ==
        kNpm);
  // A client of node that gives itself a title.
  CHECK(kind("node", {"claude"}) == kOther);
  CHECK(kind("claude", {"claude", "-p", "sh -c"}) == kOther);
  CHECK(kind("evil", {"sh", "-c", "x"}) == kOther);
  CHECK(kind("", {}) == kOther);
}
