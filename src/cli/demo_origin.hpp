#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/result.hpp"
#include "base/task.hpp"
#include "cli/demo_http.hpp"

namespace agentlock::cli::demo {

/// A request that reached an origin. `order` rises over all origins of the
/// process, so that hits of two of them can be put in order.
struct Hit : Request {
  std::size_t order = 0;
};

/// A connection that reached an origin, also one that never carried a request.
struct Connect {
  std::size_t order = 0;
  /// The host name of a TLS hello; empty on a plain connection.
  std::string server_name;
};

/// The bytes of one connection; TLS is another implementation of it. Blocking:
/// whoever wants it to end shuts the socket down.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Does what comes before the first byte (a handshake); false if it failed.
  virtual bool open() = 0;
  /// The host name asked for while opening, also if opening failed.
  virtual std::string server_name() const = 0;
  /// The number of bytes read; 0 at the end and on any failure.
  virtual std::size_t read(std::span<char> into) = 0;
  /// False if not all of it could be written.
  virtual bool write(std::string_view bytes) = 0;
};

/// Makes the stream over an accepted socket, which stays the server's.
using StreamFactory = std::function<std::unique_ptr<Stream>(int socket)>;

/// A web server on a loopback port of its own that remembers everything that
/// reached it: what an attacker's site would have received. Threads of its own;
/// all methods may be called from any thread. HTTP/1.1 with keep-alive.
class OriginServer {
 public:
  using Handler = std::function<Response(const Request&)>;

  /// Binds 127.0.0.1 on a free port and serves at once: 404 for every path until
  /// it is told otherwise. `name` is the host that clients will know it by.
  static Result<std::unique_ptr<OriginServer>> start(std::string name, StreamFactory streams = {});

  OriginServer(const OriginServer&) = delete;
  OriginServer& operator=(const OriginServer&) = delete;
  /// Stops.
  ~OriginServer();

  const std::string& name() const;
  std::uint16_t port() const;

  /// Answers requests for exactly this path (without query); a later call for the
  /// same path replaces the answer.
  void serve(std::string path, Response response);
  void serve(std::string path, Handler handler);
  /// Answers requests for paths that begin so and have no answer of their own; the
  /// longest such beginning counts.
  void serve_below(std::string prefix, Handler handler);

  /// What arrived, in order, without requests for /favicon.ico, which browsers make
  /// unasked.
  std::vector<Hit> hits() const;
  std::vector<Hit> favicon_hits() const;
  /// The targets of hits(), for short comparisons.
  std::vector<std::string> targets() const;
  std::vector<Connect> connects() const;

  /// The first hit, past or future, that fits; nothing if none came in time. `fits`
  /// must not call this server.
  std::optional<Hit> wait_for_hit(const std::function<bool(const Hit&)>& fits,
                                  Deadline deadline) const;
  /// The same for a path.
  std::optional<Hit> wait_for_path(std::string_view path, Deadline deadline) const;
  /// True once that many connections have been accepted.
  bool wait_for_connects(std::size_t count, Deadline deadline) const;

  /// Refuses new connections, ends the open ones and waits for the threads.
  void stop();

 private:
  class State;
  explicit OriginServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace agentlock::cli::demo
