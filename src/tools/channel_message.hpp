#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agentlock/client_lineage.hpp"
#include "agentlock/result.hpp"
#include "base/json.hpp"
#include "base/process_info.hpp"

namespace agentlock::tools {

/// What a hook hands to the servers of its client: one line of JSON.
struct ChannelMessage {
  static constexpr std::size_t kMaxBytes = std::size_t{2} << 20U;
  static constexpr std::size_t kMaxPrompt = std::size_t{256} << 10U;

  std::string id;       ///< 16 hex digits: the same prompt may come twice
  std::string way;      ///< the client's kind: lowercase letters, digits, `-`
  std::string session;  ///< the client's own name for its session
  double said_at = 0;   ///< seconds since 1970
  std::string prompt;   ///< empty if `refused` says why the hook does not hand it over
  std::string refused;
  /// The hook had no record of the session to see whether the model itself wrote the
  /// prompt; true for the first prompt of a session, when there is no record yet.
  bool unchecked = false;
  std::optional<std::int64_t> named_client;  ///< the pid that the client gave the hook
  std::vector<Ancestor> ancestors;           ///< of the hook, where no socket can tell

  Json to_json() const;
  /// kProtocol if it is no such message.
  static Result<ChannelMessage> parse(std::string line);
};

/// The processes above a process, as the lineage rule sees them.
std::vector<Ancestor> ancestor_chain(pid_t pid);

}  // namespace agentlock::tools
