#include "mcp/session.hpp"

// One client may speak both eras of MCP over one pipe: a handshake session that
// `initialize` opened, and stateless requests that bring their terms along in an
// envelope. So nothing is decided for the connection. Each request is looked at
// by itself: with an envelope it is served under the terms named there, and
// without one under those of the handshake, if there was one.
//
// A request is answered before the next message is read, except for the call of a
// tool. That is a coroutine of its own, kept in `calls_` under the client's id
// until it is answered. Two things can end it early. The client cancels it: the
// entry goes away, the coroutine is cancelled through Asio, and whatever it still
// returns is dropped, since a cancelled request gets no answer. Or the connection
// ends: then it is answered with an error first.
//
// Invariant: a request gets exactly one answer, or none if it was cancelled, and
// a notification never gets one. What stands in `calls_` owes an answer.
//
// Bounds: kMaxCalls coroutines, counted until they have really ended, also after a
// cancellation; kMaxMessageBytes for what goes out; kMaxDepth levels and
// kMaxBatch members for what comes in.

#include <map>
#include <utility>
#include <variant>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/signal.hpp"
#include "mcp/answers.hpp"
#include "mcp/codes.hpp"
#include "mcp/envelope.hpp"
#include "mcp/message.hpp"
#include "mcp/methods.hpp"
#include "mcp/revision.hpp"
#include "tools/tool.hpp"

namespace agentlock::mcp {
namespace {

namespace asio = boost::asio;

// A call's arguments are flat, and a client's capabilities a few levels deep.
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxMembers = 256;
// A batch's answers are made at once, before any of them can be written.
constexpr std::size_t kMaxBatch = Session::kMaxCalls;

constexpr char kStopped[] =
    "The connection ended before this call did, so it was stopped. It may have been done in part.";
constexpr char kFault[] =
    "agentlock-browser failed while it ran this call; its stderr says more. The call may have been "
    "done in part.";

// A call that owes an answer, or did until it was cancelled.
struct Call {
  Call(RequestId call_id, Revision its_revision) : id(std::move(call_id)), revision(its_revision) {}

  RequestId id;
  Revision revision;
  bool open = true;
  asio::cancellation_signal cancellation;
};

enum class Framing { kAlone, kBatch };

}  // namespace

class Session::State : public std::enable_shared_from_this<State> {
 public:
  State(Executor executor, tools::ToolTable& tools, ServerInfo info, MessageSink& sink)
      : executor_(std::move(executor)),
        tools_(tools),
        answers_(std::move(info)),
        sink_(sink),
        call_ended_(executor_) {}

  void receive(std::string text) {
    auto parsed =
        parse_json(std::move(text), JsonLimits{.max_depth = kMaxDepth, .max_members = kMaxMembers});
    if (!parsed) {
      const bool too_deep = parsed.error().code() == ErrorCode::kLimit;
      send_error({}, RpcError{too_deep ? code::kInvalidRequest : code::kParseError,
                              "The message was not read: " + parsed.error().message() + "."});
    } else if (parsed->is_array()) {
      on_batch(std::move(*parsed));
    } else {
      on_message(std::move(*parsed), Framing::kAlone);
    }
  }

  void send_error(const std::optional<RequestId>& id, const RpcError& error) {
    sink_.send(error_line(id, error));
  }

  // Ends every call; `answer` says whether the client still gets one.
  void end_calls(bool answer) {
    for (auto calls = std::exchange(calls_, {}); auto& [id, call] : calls) {
      call->open = false;
      if (answer) send_outcome(*call, tools::Outcome::failed(kStopped));
      call->cancellation.emit(asio::cancellation_type::terminal);
    }
  }

  Task<void> wait_for_calls(Deadline deadline) {
    co_await call_ended_.until([this] { return running_ == 0; }, deadline);
  }

 private:
  // MCP 2025-03-26, "Base protocol: Batching". The answers go out one by one.
  void on_batch(Json members) {
    if (!handshake_ || !has_batches(handshake_->revision)) {
      return send_error({}, RpcError{code::kInvalidRequest,
                                     "Batches exist only in the revision 2025-03-26: send each "
                                     "message on a line of its own."});
    }
    if (members.empty() || members.size() > kMaxBatch) {
      return send_error(
          {}, RpcError{code::kInvalidRequest,
                       "A batch holds between 1 and " + std::to_string(kMaxBatch) + " messages."});
    }
    for (Json& message : members) on_message(std::move(message), Framing::kBatch);
  }

  void on_message(Json value, Framing framing) {
    Message message = read_message(std::move(value));
    if (auto* request = std::get_if<Request>(&message)) {
      on_request(std::move(*request), framing);
    } else if (const auto* notification = std::get_if<Notification>(&message)) {
      if (notification->method == method::kCancelled) cancel(notification->params);
    } else if (const auto* malformed = std::get_if<Malformed>(&message)) {
      send_error(malformed->id, malformed->error);
    }
  }

  void on_request(Request request, Framing framing) {
    if (calls_.contains(request.id)) {
      return send_error(request.id, RpcError{code::kInvalidRequest,
                                             "A request with this id has not been answered yet."});
    }
    const auto envelope = read_envelope(request.params);
    if (!envelope) return send_error(request.id, envelope.error());
    const bool opens = *envelope || request.method == method::kInitialize;
    if (framing == Framing::kBatch && opens) {
      return send_error(request.id,
                        RpcError{code::kInvalidRequest, "This request can't be part of a batch."});
    }
    if (*envelope) {
      serve_stateless(std::move(request), **envelope);
    } else {
      serve_handshake(std::move(request));
    }
  }

  // MCP 2026-07-28: what the handshake era had beside the tools is gone.
  void serve_stateless(Request request, const Terms& terms) {
    if (request.method == method::kDiscover) {
      sink_.send(result_line(request.id, answers_.discover(terms.revision, tools_.instructions())));
    } else {
      serve_tools(std::move(request), terms);
    }
  }

  void serve_handshake(Request request) {
    if (request.method == method::kInitialize) {
      initialize(request);
    } else if (request.method == method::kPing) {
      sink_.send(result_line(request.id, Json::object()));
    } else if (request.method == method::kDiscover || request.method == method::kListen) {
      send_error(request.id, missing_envelope(request.method));
    } else if (!handshake_ && is_tools_method(request.method)) {
      // -32602, since a stateless client that forgot its envelope looks the same.
      send_error(request.id,
                 RpcError{code::kInvalidParams,
                          missing_envelope(request.method).message +
                              " Without them, send initialize before any other request."});
    } else {
      serve_tools(std::move(request), handshake_.value_or(Terms{kLatestHandshake}));
    }
  }

  static bool is_tools_method(const std::string& name) {
    return name == method::kToolsList || name == method::kToolsCall;
  }

  void serve_tools(Request request, const Terms& terms) {
    if (request.method == method::kToolsList) {
      list_tools(request, terms);
    } else if (request.method == method::kToolsCall) {
      call_tool(std::move(request), terms);
    } else {
      send_error(request.id,
                 RpcError{code::kMethodNotFound,
                          "There is no method " + in_quotes(request.method) + " here."});
    }
  }

  // MCP, "Lifecycle: Initialization". An unknown version is no error: the client is
  // offered ours and leaves if it can't speak it. A second initialize opens the
  // session anew, as bridges do that put one client after another before a server.
  void initialize(const Request& request) {
    const Json* version = member(request.params, "protocolVersion");
    const Json* capabilities = member(request.params, "capabilities");
    if (version == nullptr || !version->is_string()) {
      return send_error(request.id, RpcError{code::kInvalidParams,
                                             "initialize needs the string protocolVersion."});
    }
    if (capabilities != nullptr && !capabilities->is_object()) {
      return send_error(request.id,
                        RpcError{code::kInvalidParams, "capabilities must be an object."});
    }
    Revision revision = revision_of(version->get<std::string>()).value_or(kLatestHandshake);
    if (is_stateless(revision)) revision = kLatestHandshake;
    handshake_ = Terms{revision, capabilities != nullptr && can_ask(*capabilities)};
    sink_.send(result_line(request.id, answers_.initialize(revision, tools_.instructions())));
  }

  void list_tools(const Request& request, const Terms& terms) {
    if (request.params.contains("cursor")) {
      return send_error(
          request.id,
          RpcError{code::kInvalidParams,
                   "This cursor was not given by this server: all tools stand on one page."});
    }
    sink_.send(result_line(request.id, answers_.tools(terms.revision, tools_.tools())));
  }

  void call_tool(Request request, const Terms& terms) {
    const Json* name = member(request.params, "name");
    if (name == nullptr || !name->is_string()) {
      return send_error(request.id,
                        RpcError{code::kInvalidParams, "tools/call needs the string name."});
    }
    std::string tool = name->get<std::string>();
    if (!has_tool(tool)) {
      return send_error(
          request.id, RpcError{code::kInvalidParams, "There is no tool " + in_quotes(tool) + "."});
    }
    Json arguments = Json::object();
    if (const auto given = request.params.find("arguments"); given != request.params.end()) {
      arguments = std::move(*given);
    }
    if (!arguments.is_object()) {
      return send_error(request.id,
                        RpcError{code::kInvalidParams, "The arguments must be an object."});
    }
    if (running_ >= kMaxCalls) {
      return send_error(request.id,
                        RpcError{code::kInternalError,
                                 "Already " + std::to_string(kMaxCalls) +
                                     " calls are running: wait until one of them is answered."});
    }
    auto call = std::make_shared<Call>(std::move(request.id), terms.revision);
    calls_.emplace(call->id, call);
    ++running_;
    auto slot = call->cancellation.slot();
    auto ended = [state = shared_from_this(), call](std::exception_ptr failure) {
      LogFailure{"a call"}(std::move(failure));
      --state->running_;
      state->call_ended_.notify();
    };
    asio::co_spawn(executor_,
                   run_call(shared_from_this(), call, std::move(tool), std::move(arguments),
                            tools::CallContext{.can_ask = terms.can_ask}),
                   asio::bind_cancellation_slot(slot, std::move(ended)));
  }

  bool has_tool(const std::string& name) const {
    for (const tools::ToolDescription& tool : tools_.tools()) {
      if (tool.name == name) return true;
    }
    return false;
  }

  static Task<void> run_call(std::shared_ptr<State> state, std::shared_ptr<Call> call,
                             std::string tool, Json arguments, tools::CallContext context) {
    // It may have been cancelled before it got its first turn.
    if (!call->open) co_return;
    tools::Outcome outcome;
    try {
      outcome = co_await state->tools_.call(std::move(tool), std::move(arguments), context);
    } catch (...) {
      // A cancelled call ends like this, and owes nothing.
      if (!call->open) co_return;
      LogFailure{"a call"}(std::current_exception());
      outcome = tools::Outcome::failed(kFault);
    }
    if (!call->open) co_return;
    state->calls_.erase(call->id);
    state->send_outcome(*call, std::move(outcome));
  }

  void send_outcome(const Call& call, tools::Outcome outcome) {
    std::string line = result_line(call.id, answers_.call(call.revision, std::move(outcome)));
    if (line.size() > kMaxMessageBytes) {
      auto too_long = tools::Outcome::failed(
          "The result is " + std::to_string(line.size()) + " bytes long and at most " +
          std::to_string(kMaxMessageBytes) + " can be sent: ask for less of it.");
      line = result_line(call.id, answers_.call(call.revision, std::move(too_long)));
    }
    sink_.send(std::move(line));
  }

  // MCP, "Utilities: Cancellation": what is unknown, finished or malformed is ignored.
  void cancel(const Json& params) {
    const Json* raw_id = member(params, "requestId");
    const auto id = raw_id == nullptr ? std::nullopt : RequestId::of(*raw_id);
    if (!id) return;
    const auto found = calls_.find(*id);
    if (found == calls_.end()) return;
    const std::shared_ptr<Call> call = found->second;
    calls_.erase(found);
    call->open = false;
    call->cancellation.emit(asio::cancellation_type::terminal);
  }

  Executor executor_;
  tools::ToolTable& tools_;
  Answers answers_;
  MessageSink& sink_;
  std::optional<Terms> handshake_;
  std::map<RequestId, std::shared_ptr<Call>> calls_;
  std::size_t running_ = 0;
  Signal call_ended_;
};

Session::Session(Executor executor, tools::ToolTable& tools, ServerInfo info, MessageSink& sink)
    : state_(std::make_shared<State>(std::move(executor), tools, std::move(info), sink)) {}

// The coroutines keep the state, but with no call open they touch neither table
// nor sink again.
Session::~Session() { state_->end_calls(false); }

void Session::receive(std::string message) { state_->receive(std::move(message)); }

void Session::refuse_oversized() {
  state_->send_error({}, RpcError{code::kInvalidRequest, "The message is longer than " +
                                                             std::to_string(kMaxMessageBytes) +
                                                             " bytes and was thrown away."});
}

Task<void> Session::wait_for_calls(Deadline deadline) { return state_->wait_for_calls(deadline); }

void Session::stop_calls() { state_->end_calls(true); }

}  // namespace agentlock::mcp
