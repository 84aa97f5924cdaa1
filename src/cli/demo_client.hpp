#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "agentlock/result.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "cli/demo_process.hpp"

namespace agentlock::cli::demo {

/// A line that went over the pipes, in the order in which it did.
struct TranscriptLine {
  enum class Way { kSent, kReceived };
  Way way = Way::kSent;
  std::string text;
  /// SCRIPTED_HUMAN where a script answered in a person's place, else empty.
  std::string tag;
};

/// The answer to a request: exactly one of the two is not null.
struct Reply {
  Json result;
  Json error;
};

/// What tools/call gave back.
struct ToolResult {
  /// structuredContent, or null.
  Json structured;
  bool is_error = false;
  /// The text blocks, joined.
  std::string text;
  /// The whole result.
  Json raw;
};

/// An MCP client over the standard input and output of a server that it starts
/// itself (mcp.md, 1.3 to 1.6). Single-threaded: it reads and writes only while one
/// of its methods runs, and each of these has a deadline. A client that stops
/// reading is therefore simply one that is not called.
class McpClient {
 public:
  /// Answers a request of the server (elicitation/create): the result, or nothing
  /// to leave it unanswered.
  using Human = std::function<std::optional<Json>(const std::string& method, const Json& params)>;

  static Result<std::unique_ptr<McpClient>> start(const Launch& launch);

  McpClient(const McpClient&) = delete;
  McpClient& operator=(const McpClient&) = delete;

  /// Opens a session of a handshake revision: initialize, then
  /// notifications/initialized. The result of initialize.
  Result<Json> handshake(std::string version = "2025-11-25", Json capabilities = Json::object(),
                         Deadline deadline = default_deadline());
  /// From now on every request carries the envelope of a stateless revision.
  void use_envelope(std::string version = "2026-07-28", Json capabilities = Json::object());

  /// Writes a request and returns its id; several may be under way.
  Result<std::int64_t> send_request(std::string method, Json params = Json::object(),
                                    Deadline deadline = default_deadline(), std::string tag = "");
  /// The reply to such a request; each can be had once.
  Result<Reply> wait(std::int64_t id, Deadline deadline = default_deadline());
  /// True if that reply is here already, without reading.
  bool has_reply(std::int64_t id) const { return replies_.contains(id); }

  Result<Reply> request(std::string method, Json params = Json::object(),
                        Deadline deadline = default_deadline(), std::string tag = "");
  Result<void> notify(std::string method, Json params = Json::object(),
                      Deadline deadline = default_deadline());
  /// A JSON-RPC error comes as an Error (kProtocol); a tool's own is a result. What the
  /// call asks is answered by who was given to answer_as_human().
  Result<ToolResult> call_tool(std::string name, Json arguments = Json::object(),
                               Deadline deadline = default_deadline());
  /// The result of a tools/call that was sent by hand.
  static Result<ToolResult> tool_result(Result<Reply> reply);
  /// Bytes as they are, for what a well-behaved client would not send.
  Result<void> send_raw(std::string_view bytes, Deadline deadline = default_deadline());

  /// The next message of the server that answers no request of ours (its own
  /// requests, notifications, errors without an id) and fits; earlier ones count.
  Result<Json> wait_for_message(const std::function<bool(const Json&)>& fits,
                                Deadline deadline = default_deadline());
  /// Without one, requests of the server are answered with "unknown method".
  void answer_as_human(Human human) { human_ = std::move(human); }

  void close_stdin() { child_.input().reset(); }
  void signal(int number) { child_.signal(number); }
  pid_t pid() const { return child_.pid(); }
  /// Reads on until the server has ended.
  Result<ExitStatus> wait_exit(Deadline deadline = default_deadline());

  const std::vector<TranscriptLine>& transcript() const { return transcript_; }
  /// True if that text stands in a line that the server sent.
  bool received(std::string_view text) const;
  /// Lines of the server that are no JSON object: there should be none.
  const std::vector<std::string>& stray_lines() const { return stray_lines_; }
  /// The last 256 KiB of what the server wrote on its standard error so far.
  const std::string& errors() const { return errors_; }

  static Deadline default_deadline() { return after(std::chrono::seconds(30)); }

 private:
  explicit McpClient(PipedProcess child) : child_(std::move(child)) {}
  Result<void> pump(Deadline deadline);
  Result<void> write_line(std::string line, std::string tag, Deadline deadline);
  void take_output();
  void take_errors();
  void take_line(std::string line);
  void answer(const Json& request);
  /// To the questions of an input_required result; nothing if it is none, or one stays
  /// unanswered.
  std::optional<Json> answers_to(const Json& result) const;
  Result<void> flush(Deadline deadline);
  void flush_some();
  tl::unexpected<Error> gone(const std::string& doing);

  PipedProcess child_;
  std::string outgoing_;
  std::string incoming_;
  std::string errors_;
  std::optional<Json> envelope_;
  std::int64_t last_id_ = 0;
  std::map<std::int64_t, Reply> replies_;
  std::vector<Json> messages_;
  std::vector<std::string> stray_lines_;
  std::vector<TranscriptLine> transcript_;
  std::size_t transcript_bytes_ = 0;
  Human human_;
};

}  // namespace agentlock::cli::demo
