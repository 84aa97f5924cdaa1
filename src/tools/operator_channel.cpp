#include "tools/operator_channel.hpp"

#include <algorithm>
#include <array>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "agentlock/operator_prompt.hpp"
#include "agentlock/sha256.hpp"
#include "base/json.hpp"
#include "base/log.hpp"

// A hook says in one line what the operator typed, and waits for one line that says what
// became of it, so that the prompt is recorded before the client hands it to the model.
// What the line says of the prompt is believed, and what it says of its sender is not:
// that the kernel knows (SO_PEERCRED), and /proc knows who started whom.
//
// The processes above the server are read anew for each prompt and must still be those
// of its start: a server whose client went away has nobody to listen to.
//
// Limits: a program that runs as the operator's user below the client, such as a shell
// that the model drives, can say what a hook says.

namespace agentlock::tools {
namespace asio = boost::asio;
namespace {

constexpr auto kConversation = std::chrono::seconds(1);
constexpr auto kParentWatch = std::chrono::seconds(2);
constexpr std::size_t kMaxConversations = 8;
constexpr std::size_t kMaxIds = 1024;
constexpr int kMaxRefusals = 100;  // logged
constexpr std::size_t kMaxOwn = std::size_t{64} << 10U;
constexpr std::string_view kEvent = "operator_channel";

ChannelAnswer refused(std::string why) { return {std::move(why), 0}; }

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

bool begins_with(std::span<const Ancestor> chain, std::span<const Ancestor> until,
                 const Ancestor& last) {
  for (std::size_t i = 0; i < chain.size() && i < until.size(); ++i) {
    if (!chain[i].same_process(until[i])) return false;
    if (chain[i].same_process(last)) return true;
  }
  return false;
}

}  // namespace

struct OperatorChannel::Sockets {
  explicit Sockets(const Executor& executor) : acceptor(executor), parent_watch(executor) {}
  asio::local::stream_protocol::acceptor acceptor;
  asio::steady_timer parent_watch;
  std::map<std::size_t, std::shared_ptr<Socket>> open;  // by conversation
};

std::optional<std::string> refused_peer(const ucred& peer, uid_t own_user) {
  if (peer.uid != own_user) return "another user's process spoke to the channel";
  if (peer.pid <= 0) return "the process that spoke to the channel can't be seen from here";
  return std::nullopt;
}

Json ChannelAnswer::to_json() const { return {{"why", why}, {"echoes", echoes}}; }

Result<ChannelAnswer> ChannelAnswer::parse(std::string line) {
  AGENTLOCK_TRY(json, parse_json(std::move(line), {.max_depth = 4, .max_members = 8}));
  const Json* echoes = member(json, "echoes");
  if (echoes == nullptr || !echoes->is_number_unsigned()) {
    return fail(ErrorCode::kProtocol, "the server's answer is none");
  }
  return ChannelAnswer{string_member(json, "why"), echoes->get<std::size_t>()};
}

std::vector<Ancestor> OperatorChannel::processes_above() { return ancestor_chain(::getpid()); }

OperatorChannel::~OperatorChannel() { close(); }

void OperatorChannel::start(Executor executor, const std::filesystem::path& state_folder) {
  if (auto listening = listen(std::move(executor), state_folder); !listening) {
    turn_off(listening.error().describe());
    return;
  }
  std::vector<ChannelMessage> waiting;
  for (const Ancestor& client : possible_clients(started_by_)) {
    for (ChannelMessage& message : folder_->kept(client)) waiting.push_back(std::move(message));
  }
  std::ranges::sort(waiting, {}, &ChannelMessage::said_at);
  for (const ChannelMessage& message : waiting) take(message, message.ancestors);
}

Result<void> OperatorChannel::listen(Executor executor, const std::filesystem::path& state_folder) {
  started_by_ = above_();
  if (started_by_.empty() || started_by_.front().pid <= 1) {
    return fail(ErrorCode::kRefused, "the program that started this server has gone");
  }
  AGENTLOCK_TRY(folder, ChannelFolder::open(state_folder));
  folder_.emplace(std::move(folder));
  folder_->sweep();
  const std::string name = ChannelFolder::server_name(self());
  folder_->remove(name);
  AGENTLOCK_TRY(socket, listening_socket(folder_->address(name)));
  name_ = name;
  sockets_ = std::make_shared<Sockets>(executor);
  boost::system::error_code failed;
  sockets_->acceptor.assign(asio::local::stream_protocol(), socket.get(), failed);
  if (failed) return fail(ErrorCode::kIo, "listening on a socket: " + failed.message());
  socket.release();
  on_ = true;
  return {};
}

Task<void> OperatorChannel::run() {
  if (!on_) co_return;
  const std::shared_ptr<Sockets> sockets = sockets_;
  asio::co_spawn(sockets->acceptor.get_executor(), watch_parent(), LogFailure{"the parent watch"});
  for (std::size_t number = 0; on_; ++number) {
    auto [failed, socket] =
        co_await sockets->acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (failed == asio::error::operation_aborted || !on_) co_return;
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

Task<void> OperatorChannel::converse(std::shared_ptr<Sockets> sockets, std::size_t number) {
  const std::shared_ptr<Socket> socket = sockets->open.at(number);
  asio::steady_timer limit(socket->get_executor(), kConversation);
  limit.async_wait([socket](const boost::system::error_code& cancelled) {
    boost::system::error_code ignored;
    if (!cancelled) socket->close(ignored);
  });
  const std::string reply = to_line((co_await hear(*socket)).to_json()) + "\n";
  co_await asio::async_write(*socket, asio::buffer(reply), asio::as_tuple(asio::use_awaitable));
  limit.cancel();
  sockets->open.erase(number);
}

Task<ChannelAnswer> OperatorChannel::hear(Socket& socket) {
  const auto refuse = [](std::string why) {
    log::warning("operator channel: " + why);
    return ChannelAnswer{std::move(why), 0};
  };
  ucred peer{};
  socklen_t size = sizeof peer;
  ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (auto why = refused_peer(peer, ::geteuid())) co_return refuse(*std::move(why));
  std::string line;
  auto buffer = asio::dynamic_buffer(line, ChannelMessage::kMaxBytes);
  const auto [failed, length] = co_await asio::async_read(socket, buffer, asio::transfer_all(),
                                                          asio::as_tuple(asio::use_awaitable));
  if (failed != asio::error::eof) co_return refuse("the hook did not say all in time");
  const auto message = ChannelMessage::parse(std::move(line));
  if (!message) co_return refuse(message.error().message());
  co_return take(*message, ancestor_chain(peer.pid));
}

Task<void> OperatorChannel::watch_parent() {
  const std::shared_ptr<Sockets> sockets = sockets_;
  while (on_) {
    sockets->parent_watch.expires_after(kParentWatch);
    const auto [failed] =
        co_await sockets->parent_watch.async_wait(asio::as_tuple(asio::use_awaitable));
    if (failed) co_return;
    if (on_) check_parent();
  }
}

bool OperatorChannel::check_parent() {
  const std::vector<Ancestor> above = above_();
  const bool same = !above.empty() && above.front().same_process(started_by_.front());
  if (!same) turn_off("the program that started this server has gone");
  return same;
}

void OperatorChannel::close() {
  on_ = false;
  if (sockets_ != nullptr) {
    boost::system::error_code ignored;
    sockets_->acceptor.close(ignored);
    sockets_->parent_watch.cancel();
    for (const auto& [number, socket] : sockets_->open) socket->close(ignored);
  }
  if (folder_ && !name_.empty()) folder_->remove(name_);
  name_.clear();
}

void OperatorChannel::turn_off(const std::string& why) {
  close();
  // What a client said that is gone is nobody's word any more.
  recorder_.forget_prompts();
  log::warning("the operator channel is off: " + why);
  recorder_.remark(kEvent, {{"state", "off"}, {"why", why}});
}

ChannelAnswer OperatorChannel::take(const ChannelMessage& message, std::span<const Ancestor> hook) {
  if (!on_) return refused("the channel is off");
  if (std::ranges::find(ids_, message.id) != ids_.end()) return {};
  ChannelAnswer answer = judge(message, hook);
  if (!answer.why.empty()) log_refusal(message, answer.why);
  return answer;
}

ChannelAnswer OperatorChannel::judge(const ChannelMessage& message,
                                     std::span<const Ancestor> hook) {
  if (!check_parent()) return refused("the channel is off: the server's client has gone");
  const std::vector<Ancestor> above = above_();
  const auto client = common_client(above, hook, message.named_client);
  if (!client) return refused(client.error().message());
  if (!begins_with(above, started_by_, *client)) {
    turn_off("a program between this server and its client has gone");
    return refused("the channel is off: the server's client has gone");
  }
  if (!message.refused.empty()) return refused(message.refused);
  auto prompt = read_operator_prompt(message.prompt);
  if (!prompt) return refused(prompt.error().message());
  if (prompt->own.size() > kMaxOwn) return refused("it is too long to be a person's words");
  const bool first = message.session != session_;
  if (message.unchecked && !first) {
    return refused("the client keeps no record by which to tell whether the model wrote it");
  }
  if (first && !session_.empty()) {
    recorder_.forget_prompts();
    recorder_.remark(kEvent, {{"state", "new_session"}, {"way", message.way}});
  }
  session_ = message.session;
  auto recorded =
      recorder_.record_prompt(*prompt, "operator_channel:" + message.way, message.said_at);
  if (!recorded) return refused(recorded.error().message());
  ids_.push_back(message.id);
  if (ids_.size() > kMaxIds) ids_.pop_front();
  return {"", *recorded};
}

void OperatorChannel::log_refusal(const ChannelMessage& message, const std::string& why) {
  if (refusals_ >= kMaxRefusals) return;
  ++refusals_;
  log::info("operator channel: a prompt was not recorded: " + why);
  recorder_.remark(kEvent, {{"state", "refused"},
                            {"way", message.way},
                            {"why", why},
                            {"said_at", message.said_at},
                            {"bytes", message.prompt.size()},
                            {"content_hash", sha256_hex(message.prompt)}});
}

}  // namespace agentlock::tools
