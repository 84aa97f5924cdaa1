// An MCP client as small as one can be that is still a real one: it starts the
// server as a child, writes a JSON object a line on its standard input and reads
// such lines from its standard output.
//
// Everything goes through pump(): wait until one of the pipes can move, move it.
// Reading goes on while a write waits, because a server that answers a large
// message before it has read the next one would otherwise deadlock with us. The
// server's standard error is read as well and kept only at its end.
//
// A received line is sorted once, when it arrives: an answer to one of our ids is
// kept for wait(); a request of the server is handed to the scripted person, whose
// answer goes into the same output queue and is marked as such in the transcript;
// anything else is kept for wait_for_message(). So requests can overlap in any way.
//
// Limits: 64 MiB a line, 512 MiB of transcript.

#include "cli/demo_client.hpp"

#include <array>
#include <cerrno>

#include <poll.h>
#include <signal.h>

namespace agentlock::cli::demo {
namespace {

// Questions that one call may ask in a row.
constexpr int kMaxRounds = 10;

constexpr std::size_t kMaxLine = 64UL << 20U;
constexpr std::size_t kMaxTranscript = 512UL << 20U;
constexpr std::size_t kMaxErrors = 256UL << 10U;

// A server that has gone must show as an error of write(), not end this process.
void ignore_broken_pipes() {
  static const bool done = [] {
    ::signal(SIGPIPE, SIG_IGN);
    return true;
  }();
  static_cast<void>(done);
}

Json client_info() { return {{"name", "agentlock-client"}, {"version", AGENTLOCK_VERSION}}; }

}  // namespace

Result<std::unique_ptr<McpClient>> McpClient::start(const Launch& launch) {
  ignore_broken_pipes();
  Result<PipedProcess> child = PipedProcess::start(launch);
  if (!child) return tl::unexpected(child.error());
  return std::unique_ptr<McpClient>(new McpClient(std::move(*child)));
}

Result<Json> McpClient::handshake(std::string version, Json capabilities, Deadline deadline) {
  envelope_.reset();
  Json params = {{"protocolVersion", std::move(version)},
                 {"capabilities", std::move(capabilities)},
                 {"clientInfo", client_info()}};
  Result<Reply> reply = request("initialize", std::move(params), deadline);
  if (!reply) return tl::unexpected(reply.error());
  if (!reply->error.is_null()) return fail(ErrorCode::kProtocol, to_line(reply->error));
  if (auto sent = notify("notifications/initialized", Json::object(), deadline); !sent) {
    return tl::unexpected(sent.error());
  }
  return std::move(reply->result);
}

void McpClient::use_envelope(std::string version, Json capabilities) {
  envelope_ = Json{{"io.modelcontextprotocol/protocolVersion", std::move(version)},
                   {"io.modelcontextprotocol/clientCapabilities", std::move(capabilities)},
                   {"io.modelcontextprotocol/clientInfo", client_info()}};
}

Result<std::int64_t> McpClient::send_request(std::string method, Json params, Deadline deadline,
                                             std::string tag) {
  if (envelope_) {
    Json& meta = params["_meta"];
    if (!meta.is_object()) meta = Json::object();
    for (const auto& [key, value] : envelope_->items()) {
      if (!meta.contains(key)) meta[key] = value;
    }
  }
  const std::int64_t id = ++last_id_;
  const Json message = {
      {"jsonrpc", "2.0"}, {"id", id}, {"method", std::move(method)}, {"params", std::move(params)}};
  if (auto sent = write_line(to_line(message), std::move(tag), deadline); !sent) {
    return tl::unexpected(sent.error());
  }
  return id;
}

Result<Reply> McpClient::wait(std::int64_t id, Deadline deadline) {
  while (!has_reply(id)) {
    if (auto moved = pump(deadline); !moved) {
      return fail(moved.error(), "waiting for the reply to request " + std::to_string(id));
    }
  }
  Reply reply = std::move(replies_.at(id));
  replies_.erase(id);
  return reply;
}

Result<Reply> McpClient::request(std::string method, Json params, Deadline deadline,
                                 std::string tag) {
  Result<std::int64_t> id =
      send_request(std::move(method), std::move(params), deadline, std::move(tag));
  if (!id) return tl::unexpected(id.error());
  return wait(*id, deadline);
}

Result<void> McpClient::notify(std::string method, Json params, Deadline deadline) {
  const Json message = {
      {"jsonrpc", "2.0"}, {"method", std::move(method)}, {"params", std::move(params)}};
  return write_line(to_line(message), "", deadline);
}

Result<ToolResult> McpClient::call_tool(std::string name, Json arguments, Deadline deadline) {
  Json params = {{"name", std::move(name)}, {"arguments", std::move(arguments)}};
  Result<Reply> reply = request("tools/call", params, deadline);
  // In the stateless era a call that asks is made again with the answers.
  for (int round = 0; round < kMaxRounds && reply && human_; ++round) {
    auto answers = answers_to(reply->result);
    if (!answers) break;
    params["inputResponses"] = std::move(*answers);
    params["requestState"] = reply->result.value("requestState", Json());
    reply = request("tools/call", params, deadline, "SCRIPTED_HUMAN");
  }
  return tool_result(std::move(reply));
}

std::optional<Json> McpClient::answers_to(const Json& result) const {
  if (string_member(result, "resultType") != "input_required") return std::nullopt;
  Json answers = Json::object();
  const Json* requests = member(result, "inputRequests");
  if (requests == nullptr) return answers;
  for (const auto& [key, asked] : requests->items()) {
    const Json* params = member(asked, "params");
    auto said =
        human_(string_member(asked, "method"), params != nullptr ? *params : Json::object());
    if (!said) return std::nullopt;
    answers[key] = std::move(*said);
  }
  return answers;
}

Result<ToolResult> McpClient::tool_result(Result<Reply> reply) {
  if (!reply) return tl::unexpected(reply.error());
  if (!reply->error.is_null()) return fail(ErrorCode::kProtocol, to_line(reply->error));
  ToolResult result;
  result.raw = std::move(reply->result);
  if (const Json* structured = member(result.raw, "structuredContent")) {
    result.structured = *structured;
  }
  const Json* is_error = member(result.raw, "isError");
  result.is_error = is_error != nullptr && is_error->is_boolean() && is_error->get<bool>();
  if (const Json* content = member(result.raw, "content"); content != nullptr) {
    for (const Json& block : *content) {
      if (string_member(block, "type") == "text") result.text += string_member(block, "text");
    }
  }
  return result;
}

Result<void> McpClient::send_raw(std::string_view bytes, Deadline deadline) {
  transcript_.push_back({TranscriptLine::Way::kSent, std::string(bytes), ""});
  outgoing_ += bytes;
  return flush(deadline);
}

Result<Json> McpClient::wait_for_message(const std::function<bool(const Json&)>& fits,
                                         Deadline deadline) {
  std::size_t seen = 0;
  while (true) {
    for (; seen < messages_.size(); ++seen) {
      if (!fits(messages_[seen])) continue;
      Json found = std::move(messages_[seen]);
      messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(seen));
      return found;
    }
    if (auto moved = pump(deadline); !moved) {
      return fail(moved.error(), "waiting for a message of the server");
    }
  }
}

Result<ExitStatus> McpClient::wait_exit(Deadline deadline) {
  while (!child_.status()) {
    std::vector<Wait> waits{{child_.output().get(), POLLIN},
                            {child_.errors().get(), POLLIN},
                            {child_.exit_descriptor(), POLLIN}};
    if (!wait_for_any(waits, deadline)) {
      return fail(ErrorCode::kTimeout, "the server did not end in time");
    }
    take_output();
    take_errors();
  }
  take_output();
  take_errors();
  return *child_.status();
}

bool McpClient::received(std::string_view text) const {
  for (const TranscriptLine& line : transcript_) {
    if (line.way == TranscriptLine::Way::kReceived && line.text.find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

Result<void> McpClient::write_line(std::string line, std::string tag, Deadline deadline) {
  transcript_bytes_ += line.size();
  outgoing_ += line;
  outgoing_ += '\n';
  transcript_.push_back({TranscriptLine::Way::kSent, std::move(line), std::move(tag)});
  return flush(deadline);
}

Result<void> McpClient::flush(Deadline deadline) {
  flush_some();
  while (!outgoing_.empty()) {
    if (!child_.input().is_open()) return gone("writing to the server");
    if (auto moved = pump(deadline); !moved) return fail(moved.error(), "writing to the server");
  }
  return {};
}

void McpClient::flush_some() {
  while (child_.input().is_open() && !outgoing_.empty()) {
    const ssize_t written = ::write(child_.input().get(), outgoing_.data(), outgoing_.size());
    if (written > 0) {
      outgoing_.erase(0, static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else {
      if (written < 0 && errno != EAGAIN) child_.input().reset();
      return;
    }
  }
}

// One step: waits until a pipe can move and moves it. Fails when nothing will move
// any more or the deadline has passed.
Result<void> McpClient::pump(Deadline deadline) {
  if (!child_.output().is_open()) return gone("reading from the server");
  if (transcript_bytes_ > kMaxTranscript || incoming_.size() > kMaxLine) {
    return fail(ErrorCode::kLimit, "the server said more than the client keeps");
  }
  const int writable = outgoing_.empty() ? -1 : child_.input().get();
  std::vector<Wait> waits{
      {child_.output().get(), POLLIN}, {child_.errors().get(), POLLIN}, {writable, POLLOUT}};
  if (!wait_for_any(waits, deadline)) {
    return fail(ErrorCode::kTimeout, "the server was silent until the deadline");
  }
  flush_some();
  take_errors();
  take_output();
  flush_some();
  return {};
}

void McpClient::take_output() {
  std::array<char, 65536> piece{};
  while (child_.output().is_open() && incoming_.size() <= kMaxLine) {
    const ssize_t got = ::read(child_.output().get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      child_.output().reset();
      return;
    }
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
    std::size_t start = 0;
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n', start)) {
      incoming_ += bytes.substr(start, end - start);
      take_line(std::move(incoming_));
      incoming_.clear();
      start = end + 1;
    }
    incoming_ += bytes.substr(start);
  }
}

void McpClient::take_errors() {
  std::array<char, 65536> piece{};
  while (child_.errors().is_open()) {
    const ssize_t got = ::read(child_.errors().get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      child_.errors().reset();
      return;
    }
    errors_.append(piece.data(), static_cast<std::size_t>(got));
    if (errors_.size() > kMaxErrors) errors_.erase(0, errors_.size() - kMaxErrors);
  }
}

void McpClient::take_line(std::string line) {
  transcript_bytes_ += line.size();
  transcript_.push_back({TranscriptLine::Way::kReceived, line, ""});
  Result<Json> message = parse_json(line);
  if (!message || !message->is_object()) {
    stray_lines_.push_back(std::move(line));
    return;
  }
  const Json* id = member(*message, "id");
  const bool has_method = member(*message, "method") != nullptr;
  if (!has_method && id != nullptr && id->is_number_integer()) {
    Reply reply;
    if (const Json* result = member(*message, "result")) reply.result = *result;
    if (const Json* error = member(*message, "error")) reply.error = *error;
    replies_.insert_or_assign(id->get<std::int64_t>(), std::move(reply));
    return;
  }
  if (has_method && id != nullptr) answer(*message);
  messages_.push_back(std::move(*message));
}

void McpClient::answer(const Json& request) {
  Json reply = {{"jsonrpc", "2.0"}, {"id", request.at("id")}};
  std::string tag;
  if (!human_) {
    reply["error"] = {{"code", -32601}, {"message", "unknown method"}};
  } else {
    const Json* params = member(request, "params");
    std::optional<Json> said =
        human_(string_member(request, "method"), params != nullptr ? *params : Json::object());
    if (!said) return;
    reply["result"] = std::move(*said);
    tag = "SCRIPTED_HUMAN";
  }
  std::string line = to_line(reply);
  transcript_bytes_ += line.size();
  outgoing_ += line + '\n';
  transcript_.push_back({TranscriptLine::Way::kSent, std::move(line), std::move(tag)});
}

tl::unexpected<Error> McpClient::gone(const std::string& doing) {
  take_errors();
  std::string what = "the server has closed its pipe while " + doing;
  if (!errors_.empty()) what += "; its last words: " + errors_;
  return fail(ErrorCode::kIo, std::move(what));
}

}  // namespace agentlock::cli::demo
