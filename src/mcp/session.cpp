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
// A call can ask the person. In the handshake era that is a request of ours, and the
// call waits for its response. In the stateless one the request itself is answered
// with `input_required`; the coroutine stays where it is, and goes on under a new
// request's id when the client repeats the call with the answer and the state. So
// nothing that was done is done twice, and a tool knows nothing of either.
//
// Invariant: a request gets exactly one answer, or none if it was cancelled, and
// a notification never gets one. What stands in `calls_` owes an answer.
//
// Bounds: kMaxSuspended calls that wait for a stateless client, each for as long as the
// question may stay open; kMaxCalls coroutines, counted until they have really ended, also after a
// cancellation; kMaxMessageBytes for what goes out; kMaxDepth levels and
// kMaxBatch members for what comes in.

#include <chrono>
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
#include "mcp/form.hpp"
#include "mcp/message.hpp"
#include "mcp/methods.hpp"
#include "mcp/request_state.hpp"
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

// Calls that wait for a stateless client to come back; beyond that, none may ask.
constexpr std::size_t kMaxSuspended = 32;

constexpr auto kProgressEvery = std::chrono::seconds(1);

constexpr char kNoAnswer[] = "The client did not answer in time.";
constexpr char kBadAnswer[] = "The client answered with an error or with something malformed.";
constexpr char kTooManyOpen[] = "Too many questions are open already.";

// A call that owes an answer, or did until it was cancelled or answered with a
// question.
struct Call {
  Call(RequestId call_id, Terms its_terms) : id(std::move(call_id)), terms(std::move(its_terms)) {}

  RequestId id;
  Terms terms;
  bool open = true;
  bool asking = false;
  std::string digest;  // of tool and arguments
  std::unique_ptr<tools::Asker> asker;
  asio::cancellation_signal cancellation;
};

// An answer that has not come yet.
struct OpenQuestion {
  explicit OpenQuestion(const Executor& executor) : changed(executor) {}

  Signal changed;
  std::string key;  // in the stateless era
  bool answered = false;
  std::optional<Json> result;
};

// A call that goes on when a stateless client repeats it.
struct Suspended {
  std::shared_ptr<Call> call;
  std::shared_ptr<OpenQuestion> question;
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
    for (auto suspended = std::exchange(suspended_, {}); auto& [number, waiting] : suspended) {
      waiting.call->cancellation.emit(asio::cancellation_type::terminal);
    }
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
    } else if (auto* response = std::get_if<Response>(&message)) {
      on_response(std::move(*response));
    } else if (const auto* malformed = std::get_if<Malformed>(&message)) {
      send_error(malformed->id, malformed->error);
    }
  }

  // A response to what we did not ask, or no longer ask, is ignored.
  void on_response(Response response) {
    const auto found = response.id ? questions_.find(*response.id) : questions_.end();
    if (found == questions_.end()) return;
    const std::shared_ptr<OpenQuestion> question = found->second;
    question->answered = true;
    if (!response.result.is_null()) question->result = std::move(response.result);
    question->changed.notify();
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
    handshake_ = Terms{revision, capabilities != nullptr && can_ask(*capabilities),
                       client_name(member(request.params, "clientInfo"))};
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
    std::string digest = call_digest(tool, arguments);
    if (is_stateless(terms.revision) && request.params.contains("requestState")) {
      return resume(std::move(request), digest);
    }
    auto call = std::make_shared<Call>(std::move(request.id), terms);
    call->digest = std::move(digest);
    calls_.emplace(call->id, call);
    ++running_;
    report_progress(call, request.params);
    tools::CallContext context;
    context.client = terms.client;
    if (terms.can_ask) {
      call->asker = std::make_unique<CallAsker>(*this, call);
      context.asker = call->asker.get();
    }
    auto slot = call->cancellation.slot();
    auto ended = [state = shared_from_this(), call](std::exception_ptr failure) {
      LogFailure{"a call"}(std::move(failure));
      --state->running_;
      call->open = false;
      state->call_ended_.notify();
    };
    asio::co_spawn(executor_,
                   run_call(shared_from_this(), call, std::move(tool), std::move(arguments),
                            std::move(context)),
                   asio::bind_cancellation_slot(slot, std::move(ended)));
  }

  // The client comes back with the answer. The state is used up by this, whatever comes
  // of it.
  void resume(Request request, std::string_view digest) {
    const Json& state = request.params.at("requestState");
    const std::string number =
        state.is_string() ? states_.number_of(state.get<std::string>(), digest) : "";
    const auto found = suspended_.find(number);
    if (found == suspended_.end()) {
      return send_error(request.id,
                        RpcError{code::kInvalidParams,
                                 "This requestState was not given for this call, or was used "
                                 "already, or its time is over. Make the call without it."});
    }
    const auto [call, question] = found->second;
    suspended_.erase(found);
    call->id = std::move(request.id);
    call->open = true;
    calls_.emplace(call->id, call);
    report_progress(call, request.params);
    const Json* responses = member(request.params, "inputResponses");
    const Json* answer = responses == nullptr ? nullptr : member(*responses, question->key);
    if (answer != nullptr && answer->is_object()) question->result = *answer;
    question->answered = true;
    question->changed.notify();
  }

  // Asks on behalf of a call, in the way of its era.
  class CallAsker final : public tools::Asker {
   public:
    CallAsker(State& state, const std::shared_ptr<Call>& call) : state_(state), call_(call) {}

    Task<tools::AskReply> ask(tools::Question question, Deadline deadline) override {
      const std::shared_ptr<Call> call = call_.lock();
      if (call == nullptr) co_return no_reply(kNoAnswer);
      Json params = elicitation_params(question, call->terms.revision);
      struct Asking {
        explicit Asking(Call& asked) : call(asked) { call.asking = true; }
        ~Asking() { call.asking = false; }
        Call& call;
      };
      const Asking asking(*call);
      if (is_stateless(call->terms.revision)) {
        auto reply =
            state_.ask_by_result(call, std::move(question.key), std::move(params), deadline);
        co_return co_await std::move(reply);
      }
      auto reply = state_.ask_by_request(std::move(params), deadline);
      co_return co_await std::move(reply);
    }

   private:
    State& state_;
    std::weak_ptr<Call> call_;
  };

  static tools::AskReply no_reply(const char* why, bool timed_out = false) {
    return {std::nullopt, why, timed_out};
  }

  static tools::AskReply reply_of(OpenQuestion& question) {
    if (!question.answered) return no_reply(kNoAnswer, true);
    if (!question.result) return no_reply(kBadAnswer);
    return {std::move(question.result), "", false};
  }

  Task<tools::AskReply> ask_by_request(Json params, Deadline deadline) {
    const RequestId id = *RequestId::of(Json("ask-" + std::to_string(++asked_)));
    const auto question = std::make_shared<OpenQuestion>(executor_);
    questions_.emplace(id, question);
    // However the wait ends, an answer that comes later is for nobody.
    struct Leave {
      ~Leave() {
        state.questions_.erase(id);
        if (question->answered) return;
        state.sink_.send(notification_line(
            method::kCancelled, {{"requestId", id.to_json()}, {"reason", "no longer needed"}}));
      }
      State& state;
      const RequestId& id;
      const std::shared_ptr<OpenQuestion>& question;
    };
    const Leave leave{*this, id, question};
    sink_.send(request_line(id, method::kElicit, std::move(params)));
    co_await question->changed.until([&] { return question->answered; }, deadline);
    co_return reply_of(*question);
  }

  Task<tools::AskReply> ask_by_result(std::shared_ptr<Call> call, std::string key, Json params,
                                      Deadline deadline) {
    // A client that comes back without an answer is asked again.
    for (;;) {
      if (suspended_.size() >= kMaxSuspended) co_return no_reply(kTooManyOpen);
      const RequestStates::Made made = states_.make(call->digest);
      const auto question = std::make_shared<OpenQuestion>(executor_);
      question->key = key;
      suspended_.emplace(made.number, Suspended{call, question});
      struct Leave {
        ~Leave() { state.suspended_.erase(number); }
        State& state;
        const std::string& number;
      };
      const Leave leave{*this, made.number};
      calls_.erase(call->id);
      call->open = false;
      sink_.send(result_line(call->id, answers_.input_required(key, params, made.state)));
      co_await question->changed.until([&] { return question->answered; }, deadline);
      if (question->result || !question->answered) co_return reply_of(*question);
    }
  }

  // MCP, "Utilities: Progress": only for who gave a token, and never after the answer.
  void report_progress(const std::shared_ptr<Call>& call, const Json& params) {
    const Json* meta_member = member(params, "_meta");
    const Json* token = meta_member == nullptr ? nullptr : member(*meta_member, "progressToken");
    if (token == nullptr || !RequestId::of(*token)) return;
    asio::co_spawn(executor_, send_progress(shared_from_this(), call, call->id, *token),
                   LogFailure{"the progress of a call"});
  }

  static Task<void> send_progress(std::shared_ptr<State> state, std::shared_ptr<Call> call,
                                  RequestId id, Json token) {
    const auto is_over = [&] { return !call->open || call->id != id; };
    for (int step = 1;; ++step) {
      if (co_await state->call_ended_.until(is_over, after(kProgressEvery))) co_return;
      state->sink_.send(notification_line(
          method::kProgress,
          {{"progressToken", token},
           {"progress", step},
           {"message", call->asking ? "Waiting for the operator's answer." : "Working."}}));
    }
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
    call->open = false;
    state->send_outcome(*call, std::move(outcome));
    state->call_ended_.notify();
  }

  void send_outcome(const Call& call, tools::Outcome outcome) {
    std::string line = result_line(call.id, answers_.call(call.terms.revision, std::move(outcome)));
    if (line.size() > kMaxMessageBytes) {
      auto too_long = tools::Outcome::failed(
          "The result is " + std::to_string(line.size()) + " bytes long and at most " +
          std::to_string(kMaxMessageBytes) + " can be sent: ask for less of it.");
      line = result_line(call.id, answers_.call(call.terms.revision, std::move(too_long)));
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
  std::map<RequestId, std::shared_ptr<OpenQuestion>> questions_;  // of ours, by request
  std::map<std::string, Suspended> suspended_;                    // by the state's number
  RequestStates states_;
  std::uint64_t asked_ = 0;
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
