// A web server whose purpose is its memory. A claim such as "nothing reached
// evil.test" is worth as much as the server that would have noticed, so this one
// is real: a listening socket on a loopback port, and every accepted connection
// and every parsed request is recorded before anything is answered.
//
// One thread accepts, and each connection has one that reads a request, records
// it, answers, and reads the next. Sockets are blocking and the only way to end a
// connection from outside is to shut its socket down, which wakes a read, a write
// and a TLS handshake alike; so stop() needs no timers. A held answer waits on
// three descriptors: the hold, the stop event, and the client's going away.
//
// A recorded hit is complete: it is added under the lock after its body arrived,
// and waiters are woken then. What is a request is decided by demo_http; anything
// it refuses is answered 400 and the connection ends, which is still visible as a
// connect.
//
// Limits: 512 connections at once, 64 KiB of header, 16 MiB of body. No transfer
// codings, no HTTP/2, no WebSocket: Chromium needs none of them for these tests.

#include "cli/demo_origin.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

namespace agentlock::cli::demo {
namespace {

constexpr std::size_t kMaxConnections = 512;
constexpr std::size_t kMaxHeader = 64UL << 10U;

std::size_t next_order() {
  static std::atomic<std::size_t> last{0};
  return ++last;
}

class PlainStream final : public Stream {
 public:
  explicit PlainStream(int socket) : socket_(socket) {}
  bool open() override { return true; }
  std::string server_name() const override { return {}; }
  std::size_t read(std::span<char> into) override {
    ssize_t got = 0;
    do {
      got = ::recv(socket_, into.data(), into.size(), 0);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  bool write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

 private:
  int socket_;
};

// Signals belong to the program's own threads, and a TLS library that writes to a
// closed socket must not end the process by SIGPIPE.
void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

class OriginServer::State {
 public:
  State(std::string name, StreamFactory streams, Descriptor listener, Descriptor stop,
        std::uint16_t port)
      : name_(std::move(name)),
        streams_(std::move(streams)),
        listener_(std::move(listener)),
        stop_(std::move(stop)),
        port_(port),
        acceptor_([this] { accept_all(); }) {}

  ~State() { stop(); }

  void stop() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(stop_.get(), &one, sizeof one);
    if (acceptor_.joinable()) acceptor_.join();
    listener_.reset();
    {
      const std::lock_guard lock(mutex_);
      for (const Connection& connection : connections_) {
        ::shutdown(connection.socket.get(), SHUT_RDWR);
      }
    }
    for (Connection& connection : connections_) connection.thread.join();
    connections_.clear();
  }

  void add_route(std::map<std::string, Handler>& routes, std::string path, Handler handler) {
    const std::lock_guard lock(mutex_);
    routes.insert_or_assign(std::move(path), std::move(handler));
  }

  std::vector<Hit> copy(const std::vector<Hit>& hits) const {
    const std::lock_guard lock(mutex_);
    return hits;
  }

  std::vector<Connect> connects() const {
    const std::lock_guard lock(mutex_);
    return connects_;
  }

  std::optional<Hit> wait_for_hit(const std::function<bool(const Hit&)>& fits, Deadline deadline) {
    std::unique_lock lock(mutex_);
    std::size_t seen = 0;
    std::optional<Hit> found;
    changed_.wait_until(lock, deadline, [&] {
      for (; seen < hits_.size() && !found; ++seen) {
        if (fits(hits_[seen])) found = hits_[seen];
      }
      return found.has_value();
    });
    return found;
  }

  bool wait_for_connects(std::size_t count, Deadline deadline) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [&] { return connects_.size() >= count; });
  }

  const std::string name_;
  const StreamFactory streams_;
  std::map<std::string, Handler> exact_;
  std::map<std::string, Handler> below_;
  std::vector<Hit> hits_;
  std::vector<Hit> favicon_hits_;

 private:
  struct Connection {
    Descriptor socket;
    std::thread thread;
    bool done = false;
  };

  void accept_all() {
    block_signals();
    while (true) {
      std::array<pollfd, 2> ready{pollfd{stop_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
      if (::poll(ready.data(), ready.size(), -1) < 0) continue;
      if (ready[0].revents != 0) return;
      Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket.is_open()) continue;
      const int on = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const std::lock_guard lock(mutex_);
      connects_.push_back({next_order(), {}});
      changed_.notify_all();
      forget_finished();
      if (connections_.size() >= kMaxConnections) continue;
      Connection& connection = connections_.emplace_back();
      connection.socket = std::move(socket);
      const std::size_t index = connects_.size() - 1;
      connection.thread = std::thread([this, &connection, index] {
        block_signals();
        converse(connection.socket.get(), index);
        const std::lock_guard end(mutex_);
        ::shutdown(connection.socket.get(), SHUT_RDWR);
        connection.done = true;
      });
    }
  }

  void forget_finished() {
    for (auto at = connections_.begin(); at != connections_.end();) {
      if (at->done) {
        at->thread.join();
        at = connections_.erase(at);
      } else {
        ++at;
      }
    }
  }

  void converse(int socket, std::size_t index) {
    const std::unique_ptr<Stream> stream =
        streams_ ? streams_(socket) : std::make_unique<PlainStream>(socket);
    const bool opened = stream->open();
    {
      const std::lock_guard lock(mutex_);
      connects_[index].server_name = stream->server_name();
      changed_.notify_all();
    }
    std::string buffer;
    while (opened && serve_one(*stream, socket, buffer)) {
    }
  }

  // Reads, records and answers one request. False if the connection is at its end.
  bool serve_one(Stream& stream, int socket, std::string& buffer) {
    std::size_t end = header_end(buffer);
    while (end == std::string::npos) {
      if (buffer.size() > kMaxHeader || !read_more(stream, buffer)) return false;
      end = header_end(buffer);
    }
    Result<Request> request = parse_head(std::string_view(buffer).substr(0, end));
    const Result<std::size_t> length =
        request ? body_length(*request) : Result<std::size_t>(tl::unexpected(request.error()));
    if (!length) {
      Response refusal = text(length.error().message() + "\n");
      refusal.status = 400;
      stream.write(to_wire(refusal, Request{}, false));
      return false;
    }
    while (buffer.size() < end + *length) {
      if (!read_more(stream, buffer)) return false;
    }
    request->body = buffer.substr(end, *length);
    buffer.erase(0, end + *length);

    record(*request);
    const Response response = answer_to(*request);
    if (response.drop) return false;
    if (response.hold != nullptr && !wait_for_release(*response.hold, socket)) return false;
    const bool keep_alive = keeps_alive(*request);
    return stream.write(to_wire(response, *request, keep_alive)) && keep_alive;
  }

  static bool read_more(Stream& stream, std::string& buffer) {
    std::array<char, 16384> piece{};
    const std::size_t got = stream.read(piece);
    buffer.append(piece.data(), got);
    return got > 0;
  }

  void record(const Request& request) {
    Hit hit;
    static_cast<Request&>(hit) = request;
    const std::lock_guard lock(mutex_);
    hit.order = next_order();
    std::vector<Hit>& list = request.path() == "/favicon.ico" ? favicon_hits_ : hits_;
    list.push_back(std::move(hit));
    changed_.notify_all();
  }

  Response answer_to(const Request& request) {
    const Handler handler = handler_for(request.path());
    if (handler) return handler(request);
    Response missing = text("not found\n");
    missing.status = 404;
    return missing;
  }

  Handler handler_for(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (const auto found = exact_.find(path); found != exact_.end()) return found->second;
    const Handler* best = nullptr;
    std::size_t longest = 0;
    for (const auto& [prefix, handler] : below_) {
      if (path.starts_with(prefix) && prefix.size() >= longest) {
        best = &handler;
        longest = prefix.size();
      }
    }
    return best == nullptr ? Handler() : *best;
  }

  bool wait_for_release(const Hold& hold, int socket) const {
    std::array<pollfd, 3> ready{
        pollfd{hold.descriptor(), POLLIN, 0}, {stop_.get(), POLLIN, 0}, {socket, POLLRDHUP, 0}};
    while (::poll(ready.data(), ready.size(), -1) < 0) {
    }
    return ready[0].revents != 0;
  }

  Descriptor listener_;
  Descriptor stop_;
  std::uint16_t port_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Connect> connects_;
  std::list<Connection> connections_;
  // Last, so that everything it uses exists before it runs.
  std::thread acceptor_;

  friend class OriginServer;
};

Result<std::unique_ptr<OriginServer>> OriginServer::start(std::string name, StreamFactory streams) {
  Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  Descriptor stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (!listener.is_open() || !stop.is_open() || ::bind(listener.get(), plain, size) != 0 ||
      ::listen(listener.get(), 128) != 0 || ::getsockname(listener.get(), plain, &size) != 0) {
    return fail(ErrorCode::kIo, "no loopback port could be opened for " + name);
  }
  auto state = std::make_unique<State>(std::move(name), std::move(streams), std::move(listener),
                                       std::move(stop), ntohs(address.sin_port));
  return std::unique_ptr<OriginServer>(new OriginServer(std::move(state)));
}

OriginServer::OriginServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
OriginServer::~OriginServer() = default;

const std::string& OriginServer::name() const { return state_->name_; }
std::uint16_t OriginServer::port() const { return state_->port_; }

void OriginServer::serve(std::string path, Response response) {
  serve(std::move(path), [response = std::move(response)](const Request&) { return response; });
}

void OriginServer::serve(std::string path, Handler handler) {
  state_->add_route(state_->exact_, std::move(path), std::move(handler));
}

void OriginServer::serve_below(std::string prefix, Handler handler) {
  state_->add_route(state_->below_, std::move(prefix), std::move(handler));
}

std::vector<Hit> OriginServer::hits() const { return state_->copy(state_->hits_); }
std::vector<Hit> OriginServer::favicon_hits() const { return state_->copy(state_->favicon_hits_); }

std::vector<std::string> OriginServer::targets() const {
  std::vector<std::string> targets;
  for (const Hit& hit : hits()) targets.push_back(hit.target);
  return targets;
}

std::vector<Connect> OriginServer::connects() const { return state_->connects(); }

std::optional<Hit> OriginServer::wait_for_hit(const std::function<bool(const Hit&)>& fits,
                                              Deadline deadline) const {
  return state_->wait_for_hit(fits, deadline);
}

std::optional<Hit> OriginServer::wait_for_path(std::string_view path, Deadline deadline) const {
  return wait_for_hit([path](const Hit& hit) { return hit.path() == path; }, deadline);
}

bool OriginServer::wait_for_connects(std::size_t count, Deadline deadline) const {
  return state_->wait_for_connects(count, deadline);
}

void OriginServer::stop() { state_->stop(); }

}  // namespace agentlock::cli::demo
