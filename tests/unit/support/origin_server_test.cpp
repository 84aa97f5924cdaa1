#include <array>
#include <future>
#include <string>

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "base/descriptor.hpp"
#include "support/test_site.hpp"

using namespace std::chrono_literals;

namespace agentlock::test {
namespace {

Descriptor connect_to(const OriginServer& server) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int done =
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  if (done != 0) socket.reset();
  return socket;
}

void send_all(const Descriptor& socket, std::string_view bytes) {
  REQUIRE(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(bytes.size()));
}

// Reads until `enough` stands in what came, or the end.
std::string read_until(const Descriptor& socket, std::string_view enough) {
  std::string got;
  std::array<char, 4096> piece{};
  while (got.find(enough) == std::string::npos) {
    const ssize_t count = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (count <= 0) break;
    got.append(piece.data(), static_cast<std::size_t>(count));
  }
  return got;
}

std::string get(std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: fixture.test\r\n\r\n";
}

}  // namespace

TEST_CASE("an origin records what a request carried and serves the next on the same connection") {
  TestSite site;
  site.fixture().serve("/form", text("thanks"));
  const Descriptor socket = connect_to(site.fixture());
  send_all(
      socket,
      "POST /form?a=1 HTTP/1.1\r\nHost: fixture.test\r\ncookie: k=v\r\nContent-Length: 5\r\n\r\n"
      "x=%20");
  CHECK(read_until(socket, "thanks").starts_with("HTTP/1.1 200 OK\r\n"));
  send_all(socket, get("/none"));
  CHECK(read_until(socket, "not found\n").starts_with("HTTP/1.1 404 "));

  const std::vector<Hit> hits = site.fixture().hits();
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].method == "POST");
  CHECK(hits[0].target == "/form?a=1");
  CHECK(hits[0].host == "fixture.test");
  REQUIRE(hits[0].header("Cookie") != nullptr);
  CHECK(*hits[0].header("Cookie") == "k=v");
  CHECK(hits[0].body == "x=%20");
  CHECK(hits[1].order > hits[0].order);
  CHECK(site.fixture().connects().size() == 1);
  CHECK(site.evil().hits().empty());
}

TEST_CASE("a request that comes in pieces is one hit, and two in one piece are two") {
  TestSite site;
  site.fixture().serve_below("/",
                             [](const Request& request) { return text(request.target + "!"); });
  const Descriptor socket = connect_to(site.fixture());
  send_all(socket, "GET /a HTTP/1.1\r\nHo");
  send_all(socket, "st: fixture.test\r\n\r");
  send_all(socket, "\n" + get("/b") + get("/c"));
  read_until(socket, "/c!");
  CHECK(site.fixture().targets() == std::vector<std::string>{"/a", "/b", "/c"});
}

TEST_CASE("a connection without a request is seen as a connect and not as a hit") {
  TestSite site;
  const Descriptor socket = connect_to(site.evil());
  REQUIRE(site.evil().wait_for_connects(1, after(5s)));
  CHECK(site.evil().hits().empty());
}

TEST_CASE("a favicon request is kept apart from the hits") {
  TestSite site;
  const Descriptor socket = connect_to(site.fixture());
  send_all(socket, get("/favicon.ico"));
  read_until(socket, "not found\n");
  CHECK(site.fixture().hits().empty());
  CHECK(site.fixture().favicon_hits().size() == 1);
}

TEST_CASE("a held answer comes when it is released and not before") {
  TestSite site;
  Response response = text("at last");
  response.hold = Hold::create();
  site.fixture().serve("/slow", response);
  const Descriptor socket = connect_to(site.fixture());
  send_all(socket, get("/slow"));
  REQUIRE(site.fixture().wait_for_path("/slow", after(5s)));
  std::array<char, 16> piece{};
  CHECK(::recv(socket.get(), piece.data(), piece.size(), MSG_DONTWAIT) < 0);
  response.hold->release();
  CHECK(read_until(socket, "at last").ends_with("at last"));
}

TEST_CASE("an origin stops although an answer is held and connections are open") {
  auto site = std::make_unique<TestSite>();
  Response response = text("never");
  response.hold = Hold::create();
  site->fixture().serve("/slow", response);
  const Descriptor idle = connect_to(site->fixture());
  const Descriptor waiting = connect_to(site->fixture());
  send_all(waiting, get("/slow"));
  REQUIRE(site->fixture().wait_for_path("/slow", after(5s)));
  site.reset();
  CHECK(read_until(waiting, "never").empty());
}

TEST_CASE("a client that resets its connection does not disturb the others") {
  TestSite site;
  site.fixture().serve("/large", text(std::string(8UL << 20U, 'x')));
  {
    const Descriptor rude = connect_to(site.fixture());
    const linger at_once{1, 0};
    ::setsockopt(rude.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    send_all(rude, get("/large"));
    REQUIRE(site.fixture().wait_for_path("/large", after(5s)));
  }
  const Descriptor polite = connect_to(site.fixture());
  send_all(polite, get("/after"));
  CHECK(read_until(polite, "not found\n").starts_with("HTTP/1.1 404 "));
}

TEST_CASE("what is no HTTP request is refused and is no hit") {
  TestSite site;
  for (const char* bytes : {"\x16\x03\x01 hello\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET /\r\n\r\n",
                            "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n",
                            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    const Descriptor socket = connect_to(site.fixture());
    send_all(socket, bytes);
    CHECK(read_until(socket, "never there").starts_with("HTTP/1.1 400 "));
  }
  CHECK(site.fixture().hits().empty());
}

TEST_CASE("redirects, cookies and empty answers go over the wire as they were given") {
  const Request request;
  CHECK(to_wire(redirect(302, "http://evil.test/").with("Set-Cookie", "k=v; SameSite=Strict"),
                request, true) ==
        "HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\nSet-Cookie: k=v; SameSite=Strict\r\n"
        "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n");
  Response empty;
  empty.status = 204;
  CHECK(to_wire(empty, request, false) == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
}

TEST_CASE("a TLS origin records the host name of a hello, also when the client then leaves") {
  TestSite site;
  OriginServer& secure = site.at("https://fixture.test");
  secure.serve("/", text("safe"));
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  const auto speak = [&](int verify) {
    const Descriptor socket = connect_to(secure);
    SSL* const ssl = SSL_new(context);
    SSL_set_verify(ssl, verify, nullptr);
    SSL_set_tlsext_host_name(ssl, "fixture.test");
    SSL_set_fd(ssl, socket.get());
    std::string answer;
    if (SSL_connect(ssl) == 1) {
      const std::string request = get("/");
      SSL_write(ssl, request.data(), static_cast<int>(request.size()));
      std::array<char, 4096> piece{};
      for (int got = 1; got > 0 && answer.find("safe") == std::string::npos;) {
        got = SSL_read(ssl, piece.data(), static_cast<int>(piece.size()));
        if (got > 0) answer.append(piece.data(), static_cast<std::size_t>(got));
      }
    }
    SSL_free(ssl);
    return answer;
  };
  CHECK(speak(SSL_VERIFY_PEER).empty());
  CHECK(secure.hits().empty());
  CHECK(speak(SSL_VERIFY_NONE).ends_with("safe"));
  SSL_CTX_free(context);
  CHECK(secure.targets() == std::vector<std::string>{"/"});
  REQUIRE(secure.connects().size() == 2);
  CHECK(secure.connects()[1].server_name == "fixture.test");
}

TEST_CASE("the arguments for the binary name every origin of a site and the key of its TLS ones") {
  TestSite site;
  const std::string port = std::to_string(site.at("https://example.com").port());
  const std::vector<std::string> arguments = site.arguments();
  const auto has = [&](const std::string& text) {
    return std::find(arguments.begin(), arguments.end(), text) != arguments.end();
  };
  CHECK(has("example.com:443=127.0.0.1:" + port));
  CHECK(has("fixture.test:80=127.0.0.1:" + std::to_string(site.fixture().port())));
  CHECK(has("--test-spki"));
  // A SHA-256 in base64.
  CHECK(arguments.back().size() == 44);
}

}  // namespace agentlock::test
