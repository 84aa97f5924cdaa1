#include "support/test_site.hpp"

#include <stdexcept>

namespace agentlock::test {
namespace {

// An origin's host and port as the host map names them.
std::string host_and_port(std::string_view origin, bool& secure) {
  secure = origin.starts_with("https://");
  if (!secure && !origin.starts_with("http://")) throw std::runtime_error("not an origin of ours");
  std::string rest(origin.substr(secure ? 8 : 7));
  if (rest.find(':') == std::string::npos) rest += secure ? ":443" : ":80";
  return rest;
}

template <typename T>
T need(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().describe());
  return std::move(*result);
}

}  // namespace

TestSite::TestSite() {
  for (const char* host : {"fixture.test", "www.fixture.test", "evil.test", "third.test"}) {
    at(std::string("http://") + host);
  }
}

OriginServer& TestSite::at(const std::string& origin) {
  bool secure = false;
  const std::string place = host_and_port(origin, secure);
  std::unique_ptr<OriginServer>& server = servers_[place];
  if (server == nullptr) {
    // Chromium is told to trust the key, not the names, so one certificate does.
    if (secure && !tls_) tls_ = need(TestTls::create({"fixture.test", "*.test", "example.com"}));
    server = need(OriginServer::start(place.substr(0, place.find(':')),
                                      secure ? tls_->streams() : cli::demo::StreamFactory()));
  }
  return *server;
}

std::vector<std::string> TestSite::arguments() const {
  std::vector<std::string> arguments;
  for (const auto& [place, server] : servers_) {
    arguments.push_back("--test-host-map");
    arguments.push_back(place + "=127.0.0.1:" + std::to_string(server->port()));
  }
  if (tls_) {
    arguments.push_back("--test-spki");
    arguments.push_back(tls_->spki_hash());
  }
  return arguments;
}

}  // namespace agentlock::test
