#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <sys/socket.h>

#include "agentlock/client_lineage.hpp"
#include "base/task.hpp"
#include "tools/channel_folder.hpp"
#include "tools/channel_message.hpp"

namespace agentlock::tools {

/// The server's socket in the channel's folder: reads one message from each hook that
/// connects, and says what became of it. See channel_listener.cpp for whom it believes.
class ChannelListener {
 public:
  /// `hook` are the processes above the one that spoke.
  using Hear = std::function<ChannelAnswer(const ChannelMessage&, std::span<const Ancestor> hook)>;

  /// The folder outlives it.
  ChannelListener(const Executor& executor, const ChannelFolder& folder, Hear hear);
  ~ChannelListener();
  ChannelListener(const ChannelListener&) = delete;
  ChannelListener& operator=(const ChannelListener&) = delete;

  /// From here on hooks find the socket; they are answered while run() runs.
  Result<void> listen();
  /// Until close(). To be awaited once; the listener must outlive it.
  Task<void> run();
  void close();

 private:
  struct Sockets;

  Task<void> converse(std::shared_ptr<Sockets> sockets, std::size_t number);
  Task<ChannelAnswer> hear(std::size_t number);

  const ChannelFolder& folder_;
  Hear hear_;
  std::string name_;
  std::shared_ptr<Sockets> sockets_;
};

/// Why a peer with these credentials is not heard, if it isn't.
std::optional<std::string> refused_peer(const ucred& peer, uid_t own_user);

}  // namespace agentlock::tools
