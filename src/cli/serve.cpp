#include "cli/serve.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>

#include <boost/asio/signal_set.hpp>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <unistd.h>

#include "agentlock/clock.hpp"
#include "agentlock/decision_log.hpp"
#include "agentlock/file_sink.hpp"
#include "agentlock/receipt.hpp"
#include "agentlock/signing_key.hpp"
#include "base/log.hpp"
#include "browser/launch_flags.hpp"
#include "cli/conformance_tools.hpp"
#include "cli/environment.hpp"
#include "cli/state_folder.hpp"
#include "cli/terminal_text.hpp"
#include "config/config.hpp"
#include "mcp/standard_streams.hpp"
#include "mcp/stdio_server.hpp"
#include "tools/operator_channel.hpp"
#include "tools/table.hpp"
#include "tools/tool_call.hpp"
#include "tools/toolbox.hpp"

// The one place where everything is put together. What can be refused is checked
// here, before the first message is answered; what costs time (the browser) or
// leaves a trace (the log) waits for the first call that needs it.

namespace agentlock::cli {
namespace {

namespace asio = boost::asio;

constexpr auto kCheckpointEvery = std::chrono::seconds(1);

/// What a session stands on besides its configuration.
struct Ground {
  config::Config config;
  std::filesystem::path key_file;
  SigningKey key;
  std::filesystem::path state_folder;  ///< empty if nothing needs it
};

Result<config::Config> checked_config(std::span<const std::string> flags) {
  const auto variables = environment();
  auto config = config::load({variables, flags});
  if (!config) return config;
  auto arguments = browser::check_chromium_args(config->chromium_args);
  if (!arguments) {
    return fail(arguments.error().code(), "config: chromium_args: " + arguments.error().message());
  }
  config->chromium_args = std::move(*arguments);
  return config;
}

Result<Ground> prepare(std::span<const std::string> flags) {
  AGENTLOCK_TRY(config, checked_config(flags));
  std::filesystem::path key_file = config.signing_key;
  std::filesystem::path state;
  if (key_file.empty() || config.log_path.empty() || config.operator_channel) {
    AGENTLOCK_TRY(folder, state_folder(std::getenv("HOME"), std::getenv("XDG_STATE_HOME")));
    state = folder;
    if (auto there = ensure_state_folder(folder); !there) return tl::unexpected(there.error());
    if (key_file.empty()) key_file = signing_key_in(folder);
    if (config.log_path.empty()) config.log_path = folder / "agentlock-browser.jsonl";
  }
  if (auto usable = check_log_path(config.log_path); !usable) {
    return fail(usable.error().code(), "config: log_path: " + usable.error().describe());
  }
  auto key = SigningKey::load_or_create(key_file);
  if (!key) return fail(key.error().code(), "config: signing_key: " + key.error().describe());
  return Ground{std::move(config), std::move(key_file), std::move(*key), std::move(state)};
}

/// The tools of a server whose configuration can't be kept: all are listed, and each
/// answers with the line that says why.
class RefusingTable final : public tools::ToolTable {
 public:
  explicit RefusingTable(std::string line)
      : descriptions_(tools::tool_descriptions()), line_(std::move(line)) {}
  const std::vector<tools::ToolDescription>& tools() const override { return descriptions_; }
  std::string instructions() const override { return line_; }
  Task<tools::Outcome> call(std::string, Json, tools::CallContext) override {
    co_return tools::Outcome::failed(line_);
  }

 private:
  std::vector<tools::ToolDescription> descriptions_;
  std::string line_;
};

/// One session's parts, in the order in which they depend on each other.
class Session {
 public:
  Session(Executor executor, Ground ground)
      : ground_(std::move(ground)),
        box_(std::move(executor), ground_.config, recorder_setup()),
        table_(box_),
        channel_(box_.recorder) {}

  tools::ToolTable& table() { return table_; }
  tools::Toolbox& box() { return box_; }
  tools::OperatorChannel& channel() { return channel_; }
  const std::filesystem::path& state() const { return ground_.state_folder; }

 private:
  std::string policy_hash() const {
    return policy_version_hash(ground_.config.policy(), ground_.config.allowlist);
  }

  tools::Recorder::Setup recorder_setup() {
    const Json start = {{"version", AGENTLOCK_VERSION},
                        {"sandboxed", geteuid() != 0},
                        {"config", ground_.config.to_json()},
                        {"policy_version_hash", policy_hash()}};
    DecisionLog::Setup log;
    log.path = ground_.config.log_path;
    log.heads = heads_beside(ground_.key_file);
    log.session = new_session_id();
    log.key = &ground_.key;
    log.clock = &clock_;
    tools::Recorder::Setup setup;
    setup.log = std::make_unique<DecisionLog>(std::move(log), start);
    setup.key = &ground_.key;
    setup.method = ground_.config.receipt_method == "ed25519" ? SigningMethod::kEd25519
                                                              : SigningMethod::kHmacSha256;
    setup.role = ground_.config.role;
    setup.policy_hash = policy_hash();
    setup.log_page_text = ground_.config.log_page_text;
    return setup;
  }

  Ground ground_;
  SystemClock clock_;
  tools::Toolbox box_;
  tools::Table table_;
  tools::OperatorChannel channel_;
};

Task<void> checkpoints(tools::Toolbox& box) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (;;) {
    timer.expires_after(kCheckpointEvery);
    const auto [failed] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    if (failed) co_return;
    box.recorder.checkpoint_if_due();
  }
}

Task<void> launch_early(tools::Toolbox& box) {
  const auto call = co_await tools::ToolCall::begin(box, {}, box.config.nav_timeout);
  if (!call) log::error(call.error().describe());
}

struct Ending {
  std::string why = "end of input";
};

// Waits on after the first signal, or the second would kill us before the log has its
// end: Claude Code sends SIGINT, SIGTERM 100 ms later, and SIGKILL after 500 ms.
Task<void> end_on_signal(mcp::StdioServer& server, Ending& ending) {
  asio::signal_set signals(co_await asio::this_coro::executor, SIGINT, SIGTERM, SIGHUP);
  for (bool first = true;; first = false) {
    const auto [failed, number] = co_await signals.async_wait(asio::as_tuple(asio::use_awaitable));
    if (failed) co_return;
    if (first) ending.why = "signal " + std::to_string(number);
    server.stop();
  }
}

Task<void> serve(mcp::StdioServer& server, Session* session, const Ending& ending,
                 asio::io_context& context) {
  co_await server.run();
  if (session != nullptr) {
    session->channel().close();
    // The log first: what a page still tries while the browser closes is refused, and
    // closing it may take longer than a client waits before it kills us.
    session->box().recorder.end(ending.why);
    co_await session->box().driver.close();
  }
  context.stop();
}

}  // namespace

int print_config_command(std::span<const std::string> flags) {
  const auto config = checked_config(flags);
  if (!config) {
    std::cerr << printable_ascii(config.error().describe()) << '\n';
    return 2;
  }
  std::cout << config->to_json().dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
  return 0;
}

int serve_command(std::span<const std::string> flags) {
  const mcp::StandardStreams streams = mcp::take_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  // A log that may grow no further is a log that can't be written, not our end.
  std::signal(SIGXFSZ, SIG_IGN);
  asio::io_context context(1);

  std::optional<Session> session;
  std::optional<RefusingTable> refusing;
  std::optional<ConformanceTools> fixtures;
  tools::ToolTable* table = nullptr;
  if (sodium_init() < 0) {
    log::error("libsodium found no source of randomness");
    return 1;
  }
  auto ground = prepare(flags);
  if (ground) {
    session.emplace(context.get_executor(), std::move(*ground));
    table = &session->table();
    if (session->box().config.conformance_fixtures) table = &fixtures.emplace(*table);
  } else {
    log::error(ground.error().describe());
    refusing.emplace(ground.error().describe());
    table = &*refusing;
  }

  mcp::StdioServer server(context.get_executor(), *table, {"agentlock-browser", AGENTLOCK_VERSION},
                          streams);
  Ending ending;
  if (session) {
    asio::co_spawn(context, checkpoints(session->box()), LogFailure{"the checkpoint timer"});
    if (session->box().config.operator_channel) {
      session->channel().start(context.get_executor(), session->state());
      asio::co_spawn(context, session->channel().run(), LogFailure{"the operator channel"});
    }
    if (session->box().config.prelaunch) {
      asio::co_spawn(context, launch_early(session->box()), LogFailure{"starting early"});
    }
  }
  asio::co_spawn(context, end_on_signal(server, ending), LogFailure{"waiting for signals"});
  asio::co_spawn(context, serve(server, session ? &*session : nullptr, ending, context),
                 LogFailure{"the server"});
  context.run();
  // The browser is gone and the log is closed. A call that did not get its end within
  // its time may still hold parts of the session, so nothing is taken apart under it.
  std::_Exit(0);
}

}  // namespace agentlock::cli
