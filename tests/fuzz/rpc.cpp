// The way in for what a client sends. Whatever the bytes and wherever the pieces of the
// stream are cut, the lines are those of the stream, no more than a line and a piece is
// kept, and each request is answered exactly once, each notification never.
//
// Input: one byte for the size of the pieces, then the stream.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/log.hpp"
#include "base/signal.hpp"
#include "fuzz/require.hpp"
#include "mcp/line_splitter.hpp"
#include "mcp/session.hpp"
#include "tools/tool.hpp"

namespace {

using namespace agentlock;
using fuzz::require;
using mcp::LineSplitter;

constexpr std::size_t kMaxLine = 1024;

// Calls that end at once, fail, throw, or run until they are cancelled.
class FuzzTools final : public tools::ToolTable {
 public:
  explicit FuzzTools(Executor executor) : never_(std::move(executor)) {
    for (const char* name : {"echo", "fail", "throw", "wait"}) {
      tools::ToolDescription tool;
      tool.name = name;
      tool.input_schema = {{"type", "object"}};
      tools_.push_back(std::move(tool));
    }
  }
  const std::vector<tools::ToolDescription>& tools() const override { return tools_; }
  std::string instructions() const override { return ""; }
  Task<tools::Outcome> call(std::string name, Json arguments, tools::CallContext) override {
    if (name == "wait") co_await never_.until([] { return false; }, Deadline::max());
    if (name == "fail") co_return tools::Outcome::failed("Do something else.");
    if (name == "throw") throw std::runtime_error("a fault of the table");
    co_return tools::Outcome::of({{"arguments", std::move(arguments)}});
  }

 private:
  std::vector<tools::ToolDescription> tools_;
  Signal never_;
};

class Answers final : public mcp::MessageSink {
 public:
  void send(std::string message) override {
    require(message.size() <= mcp::Session::kMaxMessageBytes, "an answer is bounded");
    require(message.find('\n') == std::string::npos, "an answer is one line");
    Json answer = Json::parse(message, nullptr, false);
    require(answer.is_object(), "an answer is a JSON object");
    require(string_member(answer, "jsonrpc") == "2.0", "an answer names its protocol");
    require(answer.contains("result") != answer.contains("error"),
            "an answer is a result or an error");
    if (const Json* error = member(answer, "error")) {
      require(error->at("code").is_number_integer() && error->at("message").is_string(),
              "an error has a code and a message");
    }
    answers.push_back(std::move(answer));
  }

  std::vector<Json> answers;
};

// The ids that may stand in a request, as a text that tells 1 from "1".
std::optional<std::string> id_of(const Json& message, const char* key) {
  const Json* id = member(message, key);
  if (id == nullptr) return std::nullopt;
  if (id->is_string() && id->get<std::string>().size() > 1024) return std::nullopt;
  if (!id->is_string() && !id->is_number_integer()) return std::nullopt;
  return id->dump(-1, ' ', true, Json::error_handler_t::replace);
}

// Answers and what they are owed for; a line without a readable id counts as "".
class Accounts {
 public:
  void receive(const Json& message) {
    if (!message.is_object()) return owe("");
    const Json* method = member(message, "method");
    if (string_member(message, "jsonrpc") == "2.0") {
      const bool is_response = message.contains("result") || message.contains("error");
      if (method == nullptr && is_response) return;
      if (method != nullptr && method->is_string() && !message.contains("id")) {
        if (*method == "notifications/cancelled") note_cancelled(message);
        return;
      }
    }
    owe(id_of(message, "id").value_or(""));
  }

  void owe(const std::string& id) { ++owed_[id]; }

  void settle(const Json& answer) {
    const std::string id = answer.contains("id") ? id_of(answer, "id").value_or("?") : "";
    const auto found = owed_.find(id);
    require(found != owed_.end() && found->second > 0, "an answer is owed to somebody");
    if (--found->second == 0) owed_.erase(found);
  }

  bool owes_unnamed() const { return owed_.contains(""); }
  /// All that is owed to requests that nobody took back.
  std::size_t open() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        owed_, [&](const auto& account) { return !cancelled_.contains(account.first); }));
  }

 private:
  void note_cancelled(const Json& message) {
    const Json* params = member(message, "params");
    if (params == nullptr) return;
    if (const auto id = id_of(*params, "requestId")) cancelled_[*id] = true;
  }

  std::map<std::string, std::size_t> owed_;
  std::map<std::string, bool> cancelled_;
};

class Conversation {
 public:
  ~Conversation() {
    session_.reset();
    settle();
  }

  void receive(const LineSplitter::Line& line) {
    if (line.oversized) {
      accounts_.owe("");
      session_->refuse_oversized();
      return settle();
    }
    const auto message = parse_json(line.text, {.max_depth = 64, .max_members = 256});
    if (message && message->is_array()) {
      receive_batch(*message, line.text);
    } else {
      message ? accounts_.receive(*message) : accounts_.owe("");
      session_->receive(line.text);
    }
    settle();
    require(!accounts_.owes_unnamed(), "what is no message is told so at once");
  }

  void end() {
    session_->stop_calls();
    settle();
    require(accounts_.open() == 0, "each request is answered");
  }

 private:
  // A batch is refused as a whole or read message by message.
  void receive_batch(const Json& batch, const std::string& text) {
    const std::size_t before = sink_.answers.size();
    if (!batches_ || batch.empty() || batch.size() > mcp::Session::kMaxCalls) {
      accounts_.owe("");
      session_->receive(text);
      require(sink_.answers.size() == before + 1, "a refused batch is answered once");
      return;
    }
    for (const Json& message : batch) accounts_.receive(message);
    session_->receive(text);
  }

  void settle() {
    loop_.restart();
    loop_.poll();
    for (const Json& answer : sink_.answers) {
      accounts_.settle(answer);
      const Json* result = member(answer, "result");
      const std::string version =
          result == nullptr ? "" : string_member(*result, "protocolVersion");
      if (!version.empty()) batches_ = version == "2025-03-26";
    }
    sink_.answers.clear();
  }

  boost::asio::io_context loop_{1};
  FuzzTools tools_{loop_.get_executor()};
  Answers sink_;
  Accounts accounts_;
  bool batches_ = false;
  std::unique_ptr<mcp::Session> session_ = std::make_unique<mcp::Session>(
      loop_.get_executor(), tools_, mcp::ServerInfo{"model", "1.2.3"}, sink_);
};

// The lines of a stream that is there as a whole.
std::vector<LineSplitter::Line> lines_of(std::string_view stream) {
  std::vector<LineSplitter::Line> lines;
  while (!stream.empty()) {
    const std::size_t end = std::min(stream.find('\n'), stream.size());
    std::string_view line = stream.substr(0, end);
    stream.remove_prefix(std::min(end + 1, stream.size()));
    if (line.size() > kMaxLine) {
      lines.push_back({"", true});
      continue;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      lines.push_back({std::string(line), false});
    }
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  log::set_level(log::Level::kOff);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece_size = data[0] == 0 ? 4096 : data[0];
  std::string_view stream(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto expected = lines_of(stream);

  Conversation conversation;
  LineSplitter splitter(kMaxLine);
  std::size_t count = 0;
  const auto take = [&](const LineSplitter::Line& line) {
    require(count < expected.size(), "there is no line that the stream does not have");
    require(line.oversized == expected[count].oversized && line.text == expected[count].text,
            "a line is the stream's, wherever it was cut");
    ++count;
    conversation.receive(line);
  };
  while (!stream.empty()) {
    const std::string_view piece = stream.substr(0, piece_size);
    stream.remove_prefix(piece.size());
    splitter.push(piece);
    while (const auto line = splitter.next()) take(*line);
    require(splitter.held_bytes() <= kMaxLine, "no more than a line is kept");
  }
  if (const auto line = splitter.rest()) take(*line);
  require(count == expected.size(), "each line of the stream arrives");
  conversation.end();
  return 0;
}
