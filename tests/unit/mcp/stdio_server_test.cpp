#include "mcp/stdio_server.hpp"

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "unit/mcp/model_tools.hpp"
#include "unit/mcp/pipe_client.hpp"

namespace agentlock::mcp {
namespace {

const std::string kInitialize = R"({"jsonrpc":"2.0","id":0,"method":"initialize",)"
                                R"("params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
                                "\n";
const std::string kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                          "\n";
const std::string kPong = R"({"jsonrpc":"2.0","id":1,"result":{}})";
const std::string kWait = R"({"jsonrpc":"2.0","id":2,"method":"tools/call",)"
                          R"("params":{"name":"wait","arguments":{"key":"a"}}})"
                          "\n";
const std::string kBig = R"({"jsonrpc":"2.0","id":4,"method":"tools/call",)"
                         R"("params":{"name":"big","arguments":{"bytes":600000}}})"
                         "\n";
const std::string kList = R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})"
                          "\n";

// A server with the model's tools, and mostly a client at the other end.
struct Running {
  Running() : client(std::in_place, loop.get_executor()), server(serve(client->streams())) {
    start();
  }
  explicit Running(StandardStreams streams) : server(serve(streams)) { start(); }
  ~Running() {
    server.stop();
    client.reset();
    run();
  }

  StdioServer serve(StandardStreams streams) {
    return StdioServer(loop.get_executor(), tools, {"model", "1"}, streams);
  }

  void start() {
    boost::asio::co_spawn(loop, server.run(), [this](std::exception_ptr failure) {
      LogFailure{"the server"}(std::move(failure));
      ended = true;
    });
  }

  // Until nothing more happens by itself: both ends of the pipes are in this loop.
  void settle() {
    do {
      loop.restart();
    } while (loop.poll() > 0);
  }

  // Until all has ended; only what hangs comes near the bound.
  void run() {
    loop.restart();
    loop.run_for(std::chrono::seconds(60));
  }

  void send(std::string bytes) {
    sent = false;
    boost::asio::co_spawn(loop, client->send(std::move(bytes)),
                          [this](std::exception_ptr failure) { sent = !failure; });
  }

  void receive_all() {
    boost::asio::co_spawn(loop, receive_lines(*this), LogFailure{"the client"});
  }

  static Task<void> receive_lines(Running& running) {
    while (auto line = co_await running.client->receive()) {
      running.received.push_back(std::move(*line));
    }
  }

  boost::asio::io_context loop;
  ModelTools tools{loop.get_executor()};
  std::optional<PipeClient> client;
  StdioServer server;
  bool sent = false;
  bool ended = false;
  std::vector<std::string> received;
};

std::string times(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

struct TemporaryFile {
  TemporaryFile() : descriptor(mkstemp(path.data())) { REQUIRE(descriptor >= 0); }
  ~TemporaryFile() { unlink(path.c_str()); }

  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }

  std::string path = "/tmp/agentlock-mcp-test-XXXXXX";
  int descriptor;
};

TEST_CASE("a client that does not read is no longer read from, and its calls go on", "[unit]") {
  Running with;
  constexpr int kRequests = 4000;
  with.send(kInitialize + kWait);
  with.settle();
  REQUIRE(with.tools.has_happened("started a"));
  with.send(times(kList, kRequests));
  with.settle();
  // Held back in its pipe: the server took no more than it could answer.
  REQUIRE_FALSE(with.sent);

  with.tools.release("a");
  with.settle();
  CHECK(with.tools.has_happened("finished a"));
  CHECK_FALSE(with.sent);

  with.receive_all();
  with.settle();
  CHECK(with.sent);
  CHECK(with.received.size() == kRequests + 2);
  CHECK_FALSE(with.ended);
}

TEST_CASE("a client that neither reads nor writes any more does not keep the server", "[unit]") {
  Running with;
  with.send(kInitialize + times(kList, 1000));
  with.settle();
  REQUIRE(with.sent);
  with.client->close_input();
  with.run();
  CHECK(with.ended);
}

TEST_CASE("a client whose input ends while it reads slowly loses nothing", "[unit]") {
  Running with;
  // The one answer fills the queue, so the ping behind it is not read yet.
  with.send(kInitialize + kBig + kPing);
  with.settle();
  REQUIRE(with.sent);
  with.client->close_input();
  with.settle();
  with.receive_all();
  with.run();
  CHECK(with.ended);
  REQUIRE(with.received.size() == 3);
  CHECK(with.received[2] == kPong);
}

TEST_CASE("a call that ends soon after the input did is still answered", "[unit]") {
  Running with;
  with.send(kInitialize + kWait);
  with.receive_all();
  with.settle();
  with.client->close_input();
  with.settle();
  CHECK_FALSE(with.ended);
  with.tools.release("a");
  with.settle();
  CHECK(with.ended);
  REQUIRE(with.received.size() == 2);
  CHECK(Json::parse(with.received[1])["result"]["structuredContent"]["waited"] == "a");
}

TEST_CASE("a client that closes the output ends the server, also while nothing happens", "[unit]") {
  Running with;
  with.send(kInitialize + kWait);
  with.settle();
  REQUIRE(with.tools.has_happened("started a"));
  with.client->close_output();
  with.settle();
  CHECK(with.ended);
  CHECK(with.tools.has_happened("cancelled a"));
}

TEST_CASE("stopping the server answers the calls that run and ends at once", "[unit]") {
  Running with;
  with.send(kInitialize + kWait);
  with.receive_all();
  with.settle();
  with.server.stop();
  with.settle();
  CHECK(with.ended);
  CHECK(with.tools.has_happened("cancelled a"));
  REQUIRE(with.received.size() == 2);
  CHECK(Json::parse(with.received[1])["result"]["isError"] == true);
}

TEST_CASE("requests in a file are answered into a file", "[unit]") {
  TemporaryFile input;
  TemporaryFile output;
  std::ofstream(input.path) << kInitialize << kPing << kPing;
  Running with(StandardStreams{input.descriptor, output.descriptor});
  with.run();
  CHECK(with.ended);
  std::istringstream answers(output.text());
  std::string line;
  REQUIRE(std::getline(answers, line));
  CHECK(Json::parse(line)["result"]["serverInfo"]["name"] == "model");
  REQUIRE(std::getline(answers, line));
  CHECK(line == kPong);
  REQUIRE(std::getline(answers, line));
  CHECK(line == kPong);
  CHECK_FALSE(std::getline(answers, line));
}

TEST_CASE("an input that is empty or closed ends the server", "[unit]") {
  const auto null = [] { return open("/dev/null", O_RDWR | O_CLOEXEC); };
  const bool closed = GENERATE(false, true);
  Running with(StandardStreams{closed ? -1 : null(), null()});
  with.settle();
  CHECK(with.ended);
}

TEST_CASE("an output that is closed from the start ends the server", "[unit]") {
  const Pipe input = Pipe::open();
  Running with(StandardStreams{input.read_end, -1});
  with.settle();
  CHECK(with.ended);
  close(input.write_end);
}

TEST_CASE("one socket may be both input and output, and is given back as it was", "[unit]") {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const int kept = fcntl(ends[0], F_DUPFD_CLOEXEC, 3);
  const int flags = fcntl(kept, F_GETFL);
  {
    Running with(StandardStreams{ends[0], fcntl(ends[0], F_DUPFD_CLOEXEC, 3)});
    REQUIRE(write(ends[1], kPing.data(), kPing.size()) == static_cast<ssize_t>(kPing.size()));
    with.settle();
    CHECK((fcntl(kept, F_GETFL) & O_NONBLOCK) != 0);
    std::string answer(1000, '\0');
    const ssize_t size = read(ends[1], answer.data(), answer.size());
    REQUIRE(size > 0);
    CHECK(answer.substr(0, static_cast<std::size_t>(size)) == kPong + "\n");
    REQUIRE(shutdown(ends[1], SHUT_WR) == 0);
    with.settle();
    CHECK(with.ended);
  }
  CHECK(fcntl(kept, F_GETFL) == flags);
  close(kept);
  close(ends[1]);
}

// What a process finds that took its standard streams; they were closed or not.
int taken_in_child(bool closed) {
  const pid_t child = fork();
  if (child != 0) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const Pipe input = Pipe::open();
  const Pipe output = Pipe::open();
  dup2(input.read_end, STDIN_FILENO);
  dup2(output.write_end, STDOUT_FILENO);
  if (closed) {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(standard);
  }
  const StandardStreams streams = take_standard_streams();
  const auto is_null = [](int descriptor) {
    struct stat found{};
    struct stat null{};
    return fstat(descriptor, &found) == 0 && stat("/dev/null", &null) == 0 &&
           found.st_rdev == null.st_rdev && (fcntl(descriptor, F_GETFD) & FD_CLOEXEC) == 0;
  };
  if (!is_null(STDIN_FILENO) || !is_null(STDOUT_FILENO)) _exit(1);
  if (closed) _exit(streams.input == -1 && streams.output == -1 && is_null(2) ? 0 : 2);
  char byte = 0;
  const bool works = write(input.write_end, "a", 1) == 1 && read(streams.input, &byte, 1) == 1 &&
                     write(streams.output, "b", 1) == 1 && read(output.read_end, &byte, 1) == 1;
  const bool cloexec = (fcntl(streams.input, F_GETFD) & FD_CLOEXEC) != 0 &&
                       (fcntl(streams.output, F_GETFD) & FD_CLOEXEC) != 0;
  _exit(works && byte == 'b' && cloexec && streams.input > 2 && streams.output > 2 ? 0 : 3);
}

TEST_CASE("no child and no stray print reaches the streams that were taken", "[unit]") {
  CHECK(taken_in_child(false) == 0);
}

TEST_CASE("standard streams that were closed are told from open ones", "[unit]") {
  CHECK(taken_in_child(true) == 0);
}

}  // namespace
}  // namespace agentlock::mcp
