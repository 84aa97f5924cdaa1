#include "cli/demo_http.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace agentlock::cli::demo {
namespace {

constexpr std::size_t kMaxBody = 16UL << 20U;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view value) {
  const std::size_t first = value.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    default:
      return "Status";
  }
}

}  // namespace

std::string Request::path() const { return target.substr(0, target.find('?')); }

const std::string* Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (equal_ignoring_case(key, name)) return &value;
  }
  return nullptr;
}

std::shared_ptr<Hold> Hold::create() {
  return std::shared_ptr<Hold>(new Hold(Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))));
}

void Hold::release() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

Response& Response::with(std::string name, std::string value) & {
  headers.emplace_back(std::move(name), std::move(value));
  return *this;
}

Response Response::with(std::string name, std::string value) && {
  headers.emplace_back(std::move(name), std::move(value));
  return std::move(*this);
}

Response html(std::string body) {
  Response response;
  response.body = std::move(body);
  return std::move(response).with("Content-Type", "text/html; charset=utf-8");
}

Response text(std::string body) {
  Response response;
  response.body = std::move(body);
  return std::move(response).with("Content-Type", "text/plain; charset=utf-8");
}

Response redirect(int status, std::string location) {
  Response response;
  response.status = status;
  return std::move(response).with("Location", std::move(location));
}

std::size_t header_end(std::string_view bytes) {
  const std::size_t found = bytes.find("\r\n\r\n");
  return found == std::string_view::npos ? found : found + 4;
}

Result<Request> parse_head(std::string_view head) {
  const std::size_t line_end = head.find("\r\n");
  if (line_end == std::string_view::npos) {
    return fail(ErrorCode::kProtocol, "a request without a request line");
  }
  const std::string_view line = head.substr(0, line_end);
  const std::size_t first = line.find(' ');
  const std::size_t second = line.rfind(' ');
  if (first == std::string_view::npos || second == first || line.substr(second + 1) != "HTTP/1.1") {
    return fail(ErrorCode::kProtocol, "a request line that is not HTTP/1.1");
  }
  Request request;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, second - first - 1);
  std::size_t at = line_end + 2;
  while (at < head.size()) {
    const std::size_t end = head.find("\r\n", at);
    if (end == std::string_view::npos || end == at) break;
    const std::string_view field = head.substr(at, end - at);
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      return fail(ErrorCode::kProtocol, "a header line without a name");
    }
    request.headers.emplace_back(std::string(field.substr(0, colon)),
                                 std::string(trimmed(field.substr(colon + 1))));
    at = end + 2;
  }
  if (const std::string* host = request.header("Host")) request.host = *host;
  return request;
}

Result<std::size_t> body_length(const Request& head) {
  if (head.header("Transfer-Encoding") != nullptr) {
    return fail(ErrorCode::kProtocol, "a request body with a transfer coding");
  }
  const std::string* value = head.header("Content-Length");
  if (value == nullptr) return 0;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), length);
  if (error != std::errc() || end != value->data() + value->size()) {
    return fail(ErrorCode::kProtocol, "a Content-Length that is no number");
  }
  if (length > kMaxBody) return fail(ErrorCode::kLimit, "a request body over 16 MiB");
  return length;
}

std::string to_wire(const Response& response, const Request& request, bool keep_alive) {
  const bool bodiless = response.status == 204 || response.status == 304;
  std::string wire = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  wire += reason_phrase(response.status);
  wire += "\r\n";
  for (const auto& [name, value] : response.headers) wire += name + ": " + value + "\r\n";
  if (!bodiless) wire += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  wire += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  if (!bodiless && request.method != "HEAD") wire += response.body;
  return wire;
}

bool keeps_alive(const Request& request) {
  const std::string* connection = request.header("Connection");
  return connection == nullptr || !equal_ignoring_case(*connection, "close");
}

}  // namespace agentlock::cli::demo
