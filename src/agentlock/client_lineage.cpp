#include "agentlock/client_lineage.hpp"

#include <algorithm>
#include <array>

namespace agentlock {
namespace {

constexpr std::array<std::string_view, 9> kShells = {"sh",  "bash", "dash", "zsh",    "ksh",
                                                     "ash", "fish", "mksh", "busybox"};

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_launcher(ProcessKind kind) {
  return kind == ProcessKind::kShell || kind == ProcessKind::kNode ||
         kind == ProcessKind::kPackageRunner;
}

tl::unexpected<Error> refuse_because(std::string why) {
  return fail(ErrorCode::kRefused, std::move(why));
}

std::string named_process(const Ancestor& process) {
  return "process " + std::to_string(process.pid);
}

}  // namespace

ProcessKind process_kind(std::string_view executable, std::span<const std::string> arguments) {
  if (arguments.empty()) return ProcessKind::kOther;
  std::string_view name = file_name(arguments[0]);
  if (name.starts_with('-')) name.remove_prefix(1);  // a login shell
  const auto is_shell = [](std::string_view text) {
    return std::ranges::find(kShells, text) != kShells.end();
  };
  if (is_shell(executable) || (executable.empty() && is_shell(name))) {
    const bool has_command =
        std::ranges::any_of(arguments.subspan(1), [](const std::string& argument) {
          const bool is_flag = argument.starts_with('-') || argument.starts_with('+');
          return !is_flag || (!argument.starts_with("--") && argument.ends_with('c'));
        });
    return has_command ? ProcessKind::kShell : ProcessKind::kInteractiveShell;
  }
  // npm and npx are node programs that give themselves a title: "npm exec PACKAGE".
  const std::string_view title = std::string_view(arguments[0]).substr(0, 3);
  const bool is_title =
      (title == "npm" || title == "npx") && (arguments[0].size() == 3 || arguments[0][3] == ' ');
  if (is_title) return ProcessKind::kPackageRunner;
  const bool is_node = executable == "node" || executable == "nodejs" || executable.empty();
  if (is_node && (name == "node" || name == "nodejs")) {
    const auto script = std::ranges::find_if(
        arguments.subspan(1), [](const std::string& text) { return !text.starts_with('-'); });
    if (script == arguments.end()) return ProcessKind::kNode;
    const std::string_view file = file_name(*script);
    const bool runs_packages =
        file == "npx-cli.js" || file == "npm-cli.js" || file == "npx" || file == "npm";
    return runs_packages ? ProcessKind::kPackageRunner : ProcessKind::kNode;
  }
  return ProcessKind::kOther;
}

Result<Ancestor> common_client(std::span<const Ancestor> server, std::span<const Ancestor> hook,
                               std::optional<std::int64_t> named) {
  const auto in = [](std::span<const Ancestor> chain, const Ancestor& process) {
    return std::ranges::find_if(chain,
                                [&](const Ancestor& other) { return other.same_process(process); });
  };
  for (const Ancestor& process : server) {
    const auto at_hook = in(hook, process);
    if (at_hook == hook.end()) {
      if (is_launcher(process.kind)) continue;
      return refuse_because("the hook was not started by this server's client, " +
                            named_process(process));
    }
    if (process.pid <= 1) return refuse_because("the server was left by its client");
    if (!is_launcher(process.kind) && process.kind != ProcessKind::kOther) {
      return refuse_because("only a terminal's shell is common to the server and the hook");
    }
    if (process.kind == ProcessKind::kShell || process.kind == ProcessKind::kPackageRunner) {
      return refuse_because("only a shell or npm is common to the server and the hook");
    }
    if (named) {
      if (*named == process.pid) return process;
      return refuse_because("the hook belongs to another client, process " +
                            std::to_string(*named));
    }
    const bool direct = std::all_of(
        hook.begin(), at_hook, [](const Ancestor& between) { return is_launcher(between.kind); });
    if (direct) return process;
    return refuse_because("another program stands between " + named_process(process) +
                          " and the hook");
  }
  return refuse_because("the server and the hook have no client in common");
}

std::optional<Ancestor> likely_client(std::span<const Ancestor> hook,
                                      std::optional<std::int64_t> named) {
  std::optional<Ancestor> node;
  for (const Ancestor& process : hook) {
    if (process.pid <= 1) break;
    if (named && *named == process.pid) return process;
    if (named) continue;
    if (process.kind == ProcessKind::kOther) return process;
    if (process.kind == ProcessKind::kInteractiveShell) break;
    // The last one is the client: those before it are wrappers of the hook.
    if (process.kind == ProcessKind::kNode) node = process;
  }
  return node;
}

std::vector<Ancestor> possible_clients(std::span<const Ancestor> server) {
  std::vector<Ancestor> possible;
  for (const Ancestor& process : server) {
    if (process.pid <= 1) break;
    possible.push_back(process);
    if (!is_launcher(process.kind)) break;
  }
  return possible;
}

}  // namespace agentlock
