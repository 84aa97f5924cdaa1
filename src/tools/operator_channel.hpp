#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <boost/asio/local/stream_protocol.hpp>
#include <sys/socket.h>

#include "agentlock/client_lineage.hpp"
#include "base/task.hpp"
#include "tools/channel_folder.hpp"
#include "tools/channel_message.hpp"
#include "tools/recorder.hpp"

namespace agentlock::tools {

/// What became of a prompt.
struct ChannelAnswer {
  std::string why;         ///< it was not recorded; empty if it was, or had been
  std::size_t echoes = 0;  ///< tokens of it that don't count, since a page supplied them

  Json to_json() const;
  static Result<ChannelAnswer> parse(std::string line);
};

/// Takes the operator's prompts while the session runs, from the hooks of the client
/// that started this server and of nobody else. What is refused is logged with the
/// reason and without the text. Source: gate.md, section 11; attacks.md A11, F42.
class OperatorChannel {
 public:
  /// Who is above this process, the parent first; read anew for each prompt.
  using Above = std::function<std::vector<Ancestor>()>;
  static std::vector<Ancestor> processes_above();

  /// The recorder outlives the channel.
  explicit OperatorChannel(Recorder& recorder, Above above = processes_above)
      : recorder_(recorder), above_(std::move(above)) {}
  ~OperatorChannel();
  OperatorChannel(const OperatorChannel&) = delete;
  OperatorChannel& operator=(const OperatorChannel&) = delete;

  /// Begins to listen, and takes the prompts that wait. If that can't be, the channel is
  /// off: the log and the diagnostics say why, and the server goes on without it.
  void start(Executor executor, const std::filesystem::path& state_folder);

  /// Listens until close(); returns at once if the channel is off.
  Task<void> run();
  void close();

  /// A message of a hook with these ancestors.
  ChannelAnswer take(const ChannelMessage& message, std::span<const Ancestor> hook);

  bool is_on() const { return on_; }
  /// Turns the channel off if the process that started this one has gone.
  bool check_parent();

 private:
  struct Sockets;
  using Socket = boost::asio::basic_stream_socket<boost::asio::local::stream_protocol, Executor>;

  ChannelAnswer judge(const ChannelMessage& message, std::span<const Ancestor> hook);
  Result<void> listen(Executor executor, const std::filesystem::path& state_folder);
  Task<void> converse(std::shared_ptr<Sockets> sockets, std::size_t number);
  Task<ChannelAnswer> hear(Socket& socket);
  Task<void> watch_parent();
  void turn_off(const std::string& why);
  void log_refusal(const ChannelMessage& message, const std::string& why);

  Recorder& recorder_;
  Above above_;
  bool on_ = false;
  std::vector<Ancestor> started_by_;  ///< the processes above this one at its start
  std::optional<ChannelFolder> folder_;
  std::string name_;
  std::shared_ptr<Sockets> sockets_;
  std::string session_;          ///< the client's, of the last prompt
  std::deque<std::string> ids_;  ///< of what was taken
  int refusals_ = 0;
};

/// Why a peer with these credentials is not heard, if it isn't.
std::optional<std::string> refused_peer(const ucred& peer, uid_t own_user);

}  // namespace agentlock::tools
