#include "tools/channel_listener.hpp"

#include <cerrno>
#include <map>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/json.hpp"
#include "base/log.hpp"
#include "base/process_info.hpp"

// A hook says in one line what the operator typed, and waits for one line that says what
// became of it, so that the prompt is recorded before the client hands it to the model.
// What the line says of the prompt is believed, and what it says of its sender is not:
// that the kernel knows (SO_PEERCRED), and /proc knows who started whom.

namespace agentlock::tools {
namespace asio = boost::asio;
namespace {

using Socket = asio::local::stream_protocol::socket;

constexpr auto kConversation = std::chrono::seconds(1);
constexpr std::size_t kMaxConversations = 8;

Ancestor self() {
  const auto info = process_info(::getpid());
  return info ? Ancestor{info->pid, info->start, ProcessKind::kOther} : Ancestor{};
}

Result<Descriptor> listening_socket(const std::string& address) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (address.size() >= sizeof name.sun_path) {
    return fail(ErrorCode::kLimit, "a socket's address is too long: " + address);
  }
  address.copy(name.sun_path, address.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return fail_with_errno("making a socket");
  const mode_t before = ::umask(0177);
  const int bound = ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name);
  const int reason = errno;
  ::umask(before);
  if (bound != 0) return fail_with_errno("naming a socket in the state folder", reason);
  if (::listen(socket.get(), 16) != 0) return fail_with_errno("listening on a socket");
  return socket;
}

}  // namespace

struct ChannelListener::Sockets {
  explicit Sockets(const Executor& executor) : acceptor(executor) {}
  asio::local::stream_protocol::acceptor acceptor;
  std::map<std::size_t, std::shared_ptr<Socket>> open;  // by conversation
};

std::optional<std::string> refused_peer(const ucred& peer, uid_t own_user) {
  if (peer.uid != own_user) return "another user's process spoke to the channel";
  if (peer.pid <= 0) return "the process that spoke to the channel can't be seen from here";
  return std::nullopt;
}

ChannelListener::ChannelListener(const Executor& executor, const ChannelFolder& folder, Hear hear)
    : folder_(folder), hear_(std::move(hear)), sockets_(std::make_shared<Sockets>(executor)) {}

ChannelListener::~ChannelListener() { close(); }

Result<void> ChannelListener::listen() {
  const std::string name = ChannelFolder::server_name(self());
  folder_.remove(name);
  AGENTLOCK_TRY(socket, listening_socket(folder_.address(name)));
  name_ = name;
  boost::system::error_code failed;
  sockets_->acceptor.assign(asio::local::stream_protocol(), socket.get(), failed);
  if (failed) return fail(ErrorCode::kIo, "listening on a socket: " + failed.message());
  socket.release();
  return {};
}

Task<void> ChannelListener::run() {
  const std::shared_ptr<Sockets> sockets = sockets_;
  for (std::size_t number = 0;; ++number) {
    auto [failed, socket] =
        co_await sockets->acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (!sockets->acceptor.is_open()) co_return;
    if (failed) {
      // Out of descriptors, for one: not again at once.
      asio::steady_timer pause(sockets->acceptor.get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
      continue;
    }
    if (sockets->open.size() >= kMaxConversations) continue;  // closed again
    sockets->open.emplace(number, std::make_shared<Socket>(std::move(socket)));
    asio::co_spawn(sockets->acceptor.get_executor(), converse(sockets, number),
                   LogFailure{"the operator channel"});
  }
}

Task<void> ChannelListener::converse(std::shared_ptr<Sockets> sockets, std::size_t number) {
  const std::shared_ptr<Socket> socket = sockets->open.at(number);
  asio::steady_timer limit(socket->get_executor(), kConversation);
  limit.async_wait([socket](const boost::system::error_code& cancelled) {
    boost::system::error_code ignored;
    if (!cancelled) socket->close(ignored);
  });
  const std::string reply = to_line((co_await hear(number)).to_json()) + "\n";
  co_await asio::async_write(*socket, asio::buffer(reply), asio::as_tuple(asio::use_awaitable));
  limit.cancel();
  sockets->open.erase(number);
}

Task<ChannelAnswer> ChannelListener::hear(std::size_t number) {
  const std::shared_ptr<Socket> socket = sockets_->open.at(number);
  const auto refuse = [](std::string why) {
    log::warning("operator channel: " + why);
    return ChannelAnswer{std::move(why), 0};
  };
  ucred peer{};
  socklen_t size = sizeof peer;
  ::getsockopt(socket->native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (auto why = refused_peer(peer, ::geteuid())) co_return refuse(*std::move(why));
  std::string line;
  auto buffer = asio::dynamic_buffer(line, ChannelMessage::kMaxBytes);
  const auto [failed, length] = co_await asio::async_read(*socket, buffer, asio::transfer_all(),
                                                          asio::as_tuple(asio::use_awaitable));
  if (failed != asio::error::eof) co_return refuse("the hook did not say all in time");
  const auto message = ChannelMessage::parse(std::move(line));
  if (!message) co_return refuse(message.error().message());
  co_return hear_(*message, ancestor_chain(peer.pid));
}

void ChannelListener::close() {
  boost::system::error_code ignored;
  sockets_->acceptor.close(ignored);
  for (const auto& [number, socket] : sockets_->open) socket->close(ignored);
  if (!name_.empty()) folder_.remove(name_);
  name_.clear();
}

}  // namespace agentlock::tools
