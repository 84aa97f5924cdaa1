#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/system/system_error.hpp>
#include <nlohmann/json.hpp>

#include "base/signal.hpp"
#include "tools/tool.hpp"

namespace agentlock::mcp {

/// A working table of tools without a browser, that remembers what happened. All
/// of it can be steered by calls, so that a conversation in a file is enough:
/// `wait` runs until `release` names its key or it is cancelled, and `events`
/// waits until something has happened and says what has so far.
class ModelTools final : public tools::ToolTable {
 public:
  explicit ModelTools(Executor executor) : changed_(std::move(executor)) {
    for (const char* name : {"echo", "wait", "release", "events", "fail", "throw", "big", "ask"}) {
      tools::ToolDescription tool;
      tool.name = name;
      tool.title = std::string("Title of ") + name;
      tool.description = std::string("What ") + name + " does";
      tool.input_schema = {{"type", "object"}};
      tool.output_schema = {{"type", "object"}};
      tool.annotations = {{"readOnlyHint", true}};
      tools_.push_back(std::move(tool));
    }
  }

  const std::vector<tools::ToolDescription>& tools() const override { return tools_; }
  std::string instructions() const override { return "Read this first."; }

  Task<tools::Outcome> call(std::string name, Json arguments, tools::CallContext context) override {
    if (name == "wait") {
      auto waiting = wait(std::move(arguments));
      co_return co_await std::move(waiting);
    }
    if (name == "events") {
      const std::string wanted = string_member(arguments, "until");
      co_await changed_.until([&] { return has_happened(wanted); }, Deadline::max());
      co_return tools::Outcome::of({{"events", events_}});
    }
    if (name == "release") {
      released_.insert(string_member(arguments, "key"));
      changed_.notify();
      co_return tools::Outcome::of(Json::object());
    }
    if (name == "ask") {
      if (context.asker == nullptr) co_return tools::Outcome::failed("Nobody can be asked.");
      happen("asked " + string_member(arguments, "key"));
      tools::Question question;
      question.message = "May I?";
      question.description = "What you choose";
      question.choices.push_back({"yes", "Yes, do"});
      auto asking = context.asker->ask(std::move(question), after(std::chrono::seconds(60)));
      const tools::AskReply reply = co_await std::move(asking);
      co_return tools::Outcome::of(
          {{"result", reply.result.value_or(Json())}, {"failure", reply.failure}});
    }
    if (name == "fail") co_return tools::Outcome::failed("Do something else.");
    if (name == "throw") throw std::runtime_error("a fault of the model");
    if (name == "big") {
      const std::size_t bytes = arguments.at("bytes").get<std::size_t>();
      co_return tools::Outcome::of({{"text", std::string(bytes, 'x')}});
    }
    co_return tools::Outcome::of(
        {{"arguments", std::move(arguments)}, {"can_ask", context.asker != nullptr}});
  }

  void release(const std::string& key) {
    released_.insert(key);
    changed_.notify();
  }

  bool has_happened(const std::string& event) const {
    return std::find(events_.begin(), events_.end(), event) != events_.end();
  }

  std::size_t running() const { return running_; }

 private:
  Task<tools::Outcome> wait(Json arguments) {
    const std::string key = string_member(arguments, "key");
    happen("started " + key);
    ++running_;
    bool cancelled = false;
    try {
      co_await changed_.until([&] { return released_.contains(key); }, Deadline::max());
    } catch (const boost::system::system_error&) {
      cancelled = true;
    }
    --running_;
    happen((cancelled ? "cancelled " : "finished ") + key);
    // A tool may have its result ready just when it is cancelled.
    if (cancelled && !arguments.contains("answer_anyway")) {
      throw boost::system::system_error(boost::asio::error::operation_aborted);
    }
    co_return tools::Outcome::of({{"waited", key}});
  }

  void happen(std::string event) {
    events_.push_back(std::move(event));
    changed_.notify();
  }

  std::vector<tools::ToolDescription> tools_;
  std::vector<std::string> events_;
  std::set<std::string> released_;
  std::size_t running_ = 0;
  Signal changed_;
};

}  // namespace agentlock::mcp
