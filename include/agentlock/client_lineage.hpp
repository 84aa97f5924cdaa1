#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agentlock/result.hpp"

namespace agentlock {

/// What a process is to the question who started whom.
enum class ProcessKind {
  kShell,             ///< a shell that runs one command or script for another program
  kInteractiveShell,  ///< one that a person types into
  kNode,              ///< node with a script: a wrapper of a package, or a client itself
  kPackageRunner,     ///< npm, npx
  kOther,
};

/// By the executable's name and its arguments from argv[0] on.
ProcessKind process_kind(std::string_view executable, std::span<const std::string> arguments);

/// A process among the parents of another.
struct Ancestor {
  std::int64_t pid = 0;
  std::uint64_t start = 0;  ///< with the pid it names one process for good
  ProcessKind kind = ProcessKind::kOther;

  bool same_process(const Ancestor& other) const {
    return pid == other.pid && start == other.start;
  }
};

/// The client that both the server and the hook belong to: their nearest common
/// ancestor, if between it and the server stand only shells, node and npm, as a start
/// through npx puts them there. Both lists begin with the parent. `named` is the pid that
/// the client itself gave the hook; then it must be that one, and else nothing but the
/// same may stand between it and the hook either, so that a client that a client started
/// is another client. kRefused with the reason if there is none.
/// Source: attacks.md F42.
Result<Ancestor> common_client(std::span<const Ancestor> server, std::span<const Ancestor> hook,
                               std::optional<std::int64_t> named);

/// The process whose end is the end of a hook's client, for a prompt that waits for
/// servers to come; nothing if there is none but shells. `hook` begins with the parent.
std::optional<Ancestor> likely_client(std::span<const Ancestor> hook,
                                      std::optional<std::int64_t> named);

/// All that likely_client() can have meant for the hooks of a server's client.
std::vector<Ancestor> possible_clients(std::span<const Ancestor> server);

}  // namespace agentlock
