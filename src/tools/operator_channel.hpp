#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <boost/asio/steady_timer.hpp>

#include "agentlock/client_lineage.hpp"
#include "base/task.hpp"
#include "tools/channel_folder.hpp"
#include "tools/channel_message.hpp"
#include "tools/recorder.hpp"

namespace agentlock::tools {

class ChannelListener;

/// Takes the operator's prompts while the session runs, from the hooks of the client
/// that started this server and of nobody else. What is refused is logged with the
/// reason and without the text. Source: gate.md, section 11; attacks.md A11, F42.
class OperatorChannel {
 public:
  /// Who is above this process, the parent first; read anew for each prompt.
  using Above = std::function<std::vector<Ancestor>()>;
  static std::vector<Ancestor> processes_above();

  /// The recorder outlives the channel.
  explicit OperatorChannel(Recorder& recorder, Above above = processes_above);
  ~OperatorChannel();
  OperatorChannel(const OperatorChannel&) = delete;
  OperatorChannel& operator=(const OperatorChannel&) = delete;

  /// Begins to listen, and takes the prompts that wait. If that can't be, the channel is
  /// off: the log and the diagnostics say why, and the server goes on without it.
  void start(const Executor& executor, const std::filesystem::path& state_folder);

  /// Listens until close(); returns at once if the channel is off.
  Task<void> run();
  void close();

  /// A message of a hook with these ancestors.
  ChannelAnswer take(const ChannelMessage& message, std::span<const Ancestor> hook);

  bool is_on() const { return on_; }
  /// Turns the channel off if the process that started this one has gone.
  bool check_parent();

 private:
  ChannelAnswer judge(const ChannelMessage& message, std::span<const Ancestor> hook);
  Result<void> listen(const Executor& executor, const std::filesystem::path& state_folder);
  Task<void> watch_parent();
  void turn_off(const std::string& why);
  void log_refusal(const ChannelMessage& message, const std::string& why);

  Recorder& recorder_;
  Above above_;
  bool on_ = false;
  std::vector<Ancestor> started_by_;  ///< the processes above this one at its start
  std::optional<ChannelFolder> folder_;
  std::unique_ptr<ChannelListener> listener_;
  std::unique_ptr<boost::asio::steady_timer> watch_;
  std::string session_;          ///< the client's, of the last prompt
  std::deque<std::string> ids_;  ///< of what was taken
  int refusals_ = 0;
};

}  // namespace agentlock::tools
