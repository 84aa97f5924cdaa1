#include "tools/operator_channel.hpp"

#include <algorithm>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "agentlock/operator_prompt.hpp"
#include "agentlock/sha256.hpp"
#include "base/log.hpp"
#include "tools/channel_listener.hpp"

// The processes above the server are read anew for each prompt and must still be those
// of its start: a server whose client went away has nobody to listen to.
//
// Limits: a program that runs as the operator's user below the client, such as a shell
// that the model drives, can say what a hook says.

namespace agentlock::tools {
namespace {

constexpr auto kParentWatch = std::chrono::seconds(2);
constexpr std::size_t kMaxIds = 1024;
constexpr int kMaxRefusals = 100;  // logged
constexpr std::size_t kMaxOwn = std::size_t{64} << 10U;
constexpr std::string_view kEvent = "operator_channel";

ChannelAnswer refused(std::string why) { return {std::move(why), 0}; }

bool begins_with(std::span<const Ancestor> chain, std::span<const Ancestor> until,
                 const Ancestor& last) {
  for (std::size_t i = 0; i < chain.size() && i < until.size(); ++i) {
    if (!chain[i].same_process(until[i])) return false;
    if (chain[i].same_process(last)) return true;
  }
  return false;
}

}  // namespace

std::vector<Ancestor> OperatorChannel::processes_above() { return ancestor_chain(::getpid()); }

OperatorChannel::OperatorChannel(Recorder& recorder, Above above)
    : recorder_(recorder), above_(std::move(above)) {}

OperatorChannel::~OperatorChannel() { close(); }

void OperatorChannel::start(const Executor& executor, const std::filesystem::path& state_folder) {
  if (auto listening = listen(executor, state_folder); !listening) {
    turn_off(listening.error().describe());
    return;
  }
  std::vector<ChannelMessage> waiting;
  for (const Ancestor& client : possible_clients(started_by_)) {
    for (ChannelMessage& message : folder_->kept(client)) waiting.push_back(std::move(message));
  }
  std::ranges::sort(waiting, {}, &ChannelMessage::said_at);
  for (const ChannelMessage& message : waiting) take(message, message.ancestors);
}

Result<void> OperatorChannel::listen(const Executor& executor,
                                     const std::filesystem::path& state_folder) {
  started_by_ = above_();
  if (started_by_.empty() || started_by_.front().pid <= 1) {
    return fail(ErrorCode::kRefused, "the program that started this server has gone");
  }
  AGENTLOCK_TRY(folder, ChannelFolder::open(state_folder));
  folder_.emplace(std::move(folder));
  folder_->sweep();
  listener_ = std::make_unique<ChannelListener>(
      executor, *folder_, [this](const ChannelMessage& message, std::span<const Ancestor> hook) {
        return take(message, hook);
      });
  if (auto listening = listener_->listen(); !listening) return listening;
  watch_ = std::make_unique<boost::asio::steady_timer>(executor);
  on_ = true;
  return {};
}

Task<void> OperatorChannel::run() {
  if (!on_) co_return;
  boost::asio::co_spawn(watch_->get_executor(), watch_parent(), LogFailure{"the parent watch"});
  co_await listener_->run();
}

Task<void> OperatorChannel::watch_parent() {
  while (on_) {
    watch_->expires_after(kParentWatch);
    const auto [failed] =
        co_await watch_->async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    if (failed) co_return;
    if (on_) check_parent();
  }
}

bool OperatorChannel::check_parent() {
  const std::vector<Ancestor> above = above_();
  const bool same = !above.empty() && above.front().same_process(started_by_.front());
  if (!same) turn_off("the program that started this server has gone");
  return same;
}

void OperatorChannel::close() {
  on_ = false;
  if (listener_ != nullptr) listener_->close();
  if (watch_ != nullptr) watch_->cancel();
}

void OperatorChannel::turn_off(const std::string& why) {
  close();
  // What a client said that is gone is nobody's word any more.
  recorder_.forget_prompts();
  log::warning("the operator channel is off: " + why);
  recorder_.remark(kEvent, {{"state", "off"}, {"why", why}});
}

ChannelAnswer OperatorChannel::take(const ChannelMessage& message, std::span<const Ancestor> hook) {
  if (!on_) return refused("the channel is off");
  if (std::ranges::find(ids_, message.id) != ids_.end()) return {};
  ChannelAnswer answer = judge(message, hook);
  if (!answer.why.empty()) log_refusal(message, answer.why);
  return answer;
}

ChannelAnswer OperatorChannel::judge(const ChannelMessage& message,
                                     std::span<const Ancestor> hook) {
  if (!check_parent()) return refused("the channel is off: the server's client has gone");
  const std::vector<Ancestor> above = above_();
  const auto client = common_client(above, hook, message.named_client);
  if (!client) return refused(client.error().message());
  if (!begins_with(above, started_by_, *client)) {
    turn_off("a program between this server and its client has gone");
    return refused("the channel is off: the server's client has gone");
  }
  if (!message.refused.empty()) return refused(message.refused);
  auto prompt = read_operator_prompt(message.prompt);
  if (!prompt) return refused(prompt.error().message());
  if (prompt->own.size() > kMaxOwn) return refused("it is too long to be a person's words");
  const bool first = message.session != session_;
  if (message.unchecked && !first) {
    return refused("the client keeps no record by which to tell whether the model wrote it");
  }
  if (first && !session_.empty()) {
    recorder_.forget_prompts();
    recorder_.remark(kEvent, {{"state", "new_session"}, {"way", message.way}});
  }
  session_ = message.session;
  auto recorded =
      recorder_.record_prompt(*prompt, "operator_channel:" + message.way, message.said_at);
  if (!recorded) return refused(recorded.error().message());
  ids_.push_back(message.id);
  if (ids_.size() > kMaxIds) ids_.pop_front();
  return {"", *recorded};
}

void OperatorChannel::log_refusal(const ChannelMessage& message, const std::string& why) {
  if (refusals_ >= kMaxRefusals) return;
  ++refusals_;
  log::info("operator channel: a prompt was not recorded: " + why);
  recorder_.remark(kEvent, {{"state", "refused"},
                            {"way", message.way},
                            {"why", why},
                            {"said_at", message.said_at},
                            {"bytes", message.prompt.size()},
                            {"content_hash", sha256_hex(message.prompt)}});
}

}  // namespace agentlock::tools
