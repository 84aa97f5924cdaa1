#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agentlock/result.hpp"
#include "base/descriptor.hpp"

namespace agentlock::cli::demo {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A request as it arrived.
struct Request {
  std::string method;
  /// As it stood in the request line: path and query.
  std::string target;
  /// The Host header.
  std::string host;
  Headers headers;
  std::string body;

  /// The target up to the question mark.
  std::string path() const;
  /// The first header of that name in any case, or null.
  const std::string* header(std::string_view name) const;
};

/// Keeps an answer back until the test says so.
class Hold {
 public:
  static std::shared_ptr<Hold> create();
  void release();
  /// Readable from the release on.
  int descriptor() const { return event_.get(); }

 private:
  explicit Hold(Descriptor event) : event_(std::move(event)) {}
  Descriptor event_;
};

struct Response {
  int status = 200;
  Headers headers;
  std::string body;
  /// Where set, the answer is written only after its release.
  std::shared_ptr<Hold> hold;
  /// Closes the connection without an answer.
  bool drop = false;

  Response& with(std::string name, std::string value) &;
  Response with(std::string name, std::string value) &&;
};

Response html(std::string body);
Response text(std::string body);
Response redirect(int status, std::string location);

/// The end of the header block at the start of `bytes` (just behind its empty
/// line), or npos while it is incomplete.
std::size_t header_end(std::string_view bytes);

/// The head of an HTTP/1.1 request (RFC 9112, sections 3 and 5), without its body.
Result<Request> parse_head(std::string_view head);

/// The bytes of the body that follow a head, by its Content-Length; an error for
/// a length that is no number, is too large, or for a transfer coding.
Result<std::size_t> body_length(const Request& head);

/// The answer as it goes over the wire, always with a length, so that the
/// connection can serve the next request.
std::string to_wire(const Response& response, const Request& request, bool keep_alive);

/// RFC 9112, section 9.3: false if this connection ends after the answer.
bool keeps_alive(const Request& request);

}  // namespace agentlock::cli::demo
