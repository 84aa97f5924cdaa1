// The log proves three things about itself: that no line was changed, that none is
// missing between two others, and, by the signatures, that whoever held the key
// wrote it. What it can't prove alone is where it ends; the heads file beside the
// key remembers that.
//
// Chain. A line's hash covers the hash before it and its own bytes. A checkpoint
// signs the head, which is the hash of the line before it. As a head says nothing
// about the line that carries the signature, checkpoint and session_end carry a
// second one, the seal, over themselves: without it a checkpoint could be turned
// into a session_end and the tail cut off behind it.
//
// Order of events. A line is in the file before append() returns, and the caller
// acts only after that. fdatasync comes with checkpoints: losing the power may lose
// up to five seconds of log, losing the process loses nothing. The head is recorded
// after the log is on the disk, so the heads file never claims more than there is.
//
// Failing. After a failed write nobody knows how much of the line is in the file,
// so the chain ends there: the log stays failed and answers every later call with
// the same reason. That also tells a torn line from a forged one: after a torn line
// its session never goes on.
//
// The same goes for a call that ends by an exception (lack of memory) instead of
// returning: it leaves `at_work` set, and the next call finds it so.
//
// Time. `ts` never falls: while the clock is behind the last time that was given out,
// that time is used again, and the first line after the step says how far it went back.

#include "agentlock/decision_log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>
#include <sodium.h>

#include "agentlock/log_heads.hpp"
#include "agentlock/log_line.hpp"
#include "agentlock/log_writer.hpp"

namespace agentlock {
namespace {

constexpr std::uint64_t kLinesPerCheckpoint = 100;
constexpr auto kCheckpointDelay = std::chrono::seconds(5);
constexpr std::string_view kStart = "session_start";
constexpr std::string_view kCheckpoint = "checkpoint";
constexpr std::string_view kEnd = "session_end";

bool is_reserved(std::string_view member) {
  constexpr std::string_view kReserved[] = {"session", "seq",       "ts",   "iso",  "event",
                                            "prev",    "signature", "seal", "hash", "clock_back_s"};
  return std::ranges::find(kReserved, member) != std::end(kReserved);
}

std::int64_t microseconds_of(double seconds) {
  if (!(seconds > 0) || seconds > 1e11) return 0;
  return static_cast<std::int64_t>(std::floor(seconds * 1e6));
}

}  // namespace

std::string new_session_id() {
  unsigned char random[20];
  randombytes_buf(random, sizeof random);
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  char text[sodium_base64_ENCODED_LEN(sizeof random, kVariant)];
  sodium_bin2base64(text, sizeof text, random, sizeof random, kVariant);
  return std::string("als_") + text;
}

struct DecisionLog::Impl {
  Impl(Setup given, const Json& start)
      : setup(std::move(given)),
        session_start(start),
        writer(setup.path, setup.sink ? std::move(setup.sink) : system_file_sink()),
        prev(first_prev()) {}

  Setup setup;
  Json session_start;
  LogWriter writer;
  std::optional<LogHeads> heads;
  std::optional<Error> failure;
  bool started = false;
  bool ended = false;
  bool at_work = false;  // true outside of a call: the call before ended by an exception

  std::uint64_t seq = 0;
  std::string prev;
  std::int64_t last_reading = 0;  // of the clock, in microseconds
  std::int64_t last_time = 0;     // the highest
  std::int64_t stepped_back = 0;  // by the clock, since the last line
  std::uint64_t unsigned_lines = 0;
  std::chrono::steady_clock::time_point first_unsigned;

  tl::unexpected<Error> fail_for_good(Error cause) {
    failure.emplace(cause.code(), "the decision log can't be written",
                    std::make_shared<const Error>(std::move(cause)));
    return tl::unexpected(*failure);
  }

  double time() {
    const std::int64_t reading = microseconds_of(setup.clock->now());
    stepped_back += std::max<std::int64_t>(last_reading - reading, 0);
    last_reading = reading;
    last_time = std::max(last_time, reading);
    return static_cast<double>(last_time) / 1e6;
  }

  // The members that each line has, in their order, then those of the event.
  Json line_of(std::string_view event, const Json& fields) {
    Json line = Json::object();
    line["session"] = setup.session;
    line["seq"] = seq;
    line["ts"] = time();
    line["iso"] = iso_time(last_time);
    line["event"] = event;
    line["prev"] = prev;
    if (stepped_back > 0) line["clock_back_s"] = static_cast<double>(stepped_back) / 1e6;
    for (const auto& [name, value] : fields.items()) line[name] = value;
    return line;
  }

  Result<void> put(std::string line) {
    std::string hash;
    close_line(line, prev, hash);
    if (line.size() > kMaxLogLine) {
      return fail(ErrorCode::kLimit, "an event of " + std::to_string(line.size()) +
                                         " bytes is longer than a line of the log may be");
    }
    if (auto written = writer.append(line); !written) return fail_for_good(written.error());
    if (unsigned_lines == 0) first_unsigned = setup.clock->monotonic();
    ++unsigned_lines;
    prev = hash;
    ++seq;
    stepped_back = 0;
    return {};
  }

  Result<void> put_signed(std::string_view event, const Json& fields) {
    Json object = line_of(event, fields);
    object["signature"] = setup.key->sign(prev);
    std::string line = open_line(object);
    line += ",\"seal\":\"" + setup.key->sign(sealed_bytes(prev, line)) + '"';
    if (auto written = put(std::move(line)); !written) return written;
    unsigned_lines = 0;
    if (auto synced = writer.sync(); !synced) return fail_for_good(synced.error());
    if (heads) {
      if (auto kept = heads->advance(seq - 1, prev); !kept) return fail_for_good(kept.error());
    }
    return {};
  }

  Result<void> ensure_started() {
    if (started) return {};
    Json fields = session_start;
    fields["public_key"] = setup.key->public_key_hex();
    fields["signing_key_id"] = setup.key->key_id();
    if (auto written = put(open_line(line_of(kStart, fields))); !written) return written;
    started = true;
    if (setup.heads.empty()) return {};
    auto taken = LogHeads::open(setup.heads, setup.session, {0, prev, log_place(setup.path)});
    if (!taken) return fail_for_good(taken.error());
    heads.emplace(std::move(*taken));
    return {};
  }

  // Does `work` unless an earlier call made an end of the log.
  template <typename Work>
  auto guarded(Work work) -> decltype(work()) {
    if (at_work && !failure) {
      failure.emplace(ErrorCode::kInternal,
                      "the decision log can't be written: " + setup.path.string() +
                          ": writing to it was interrupted, probably for lack of memory");
    }
    if (failure) return tl::unexpected(*failure);
    at_work = true;
    auto done = work();
    at_work = false;
    return done;
  }

  Result<void> check(const Json& fields) const {
    if (ended) return fail(ErrorCode::kRefused, "the session has ended");
    if (!fields.is_object()) {
      return fail(ErrorCode::kInvalidArgument, "an event's fields must be an object");
    }
    for (const auto& [name, value] : fields.items()) {
      if (is_reserved(name)) {
        return fail(ErrorCode::kInvalidArgument, "the log itself sets the member " + name);
      }
    }
    return {};
  }
};

DecisionLog::DecisionLog(Setup setup, const Json& session_start)
    : impl_(std::make_unique<Impl>(std::move(setup), session_start)) {}
DecisionLog::DecisionLog(DecisionLog&&) noexcept = default;
DecisionLog& DecisionLog::operator=(DecisionLog&&) noexcept = default;
DecisionLog::~DecisionLog() = default;

Result<void> DecisionLog::append(std::string_view event, const Json& fields) {
  return impl_->guarded([&]() -> Result<void> {
    if (auto checked = impl_->check(fields); !checked) return checked;
    if (event.empty() || event == kStart || event == kCheckpoint || event == kEnd) {
      return fail(ErrorCode::kInvalidArgument, "the log itself writes " + std::string(event));
    }
    if (auto started = impl_->ensure_started(); !started) return started;
    auto written = impl_->put(open_line(impl_->line_of(event, fields)));
    if (!written || impl_->unsigned_lines < kLinesPerCheckpoint) return written;
    return impl_->put_signed(kCheckpoint, Json::object());
  });
}

Result<bool> DecisionLog::checkpoint_if_due() {
  return impl_->guarded([&]() -> Result<bool> {
    if (impl_->ended || impl_->unsigned_lines == 0) return false;
    if (impl_->setup.clock->monotonic() - impl_->first_unsigned < kCheckpointDelay) return false;
    if (auto written = impl_->put_signed(kCheckpoint, Json::object()); !written) {
      return tl::unexpected(written.error());
    }
    return true;
  });
}

Result<void> DecisionLog::end(const Json& fields) {
  return impl_->guarded([&]() -> Result<void> {
    if (auto checked = impl_->check(fields); !checked) return checked;
    impl_->ended = true;
    if (!impl_->started) return {};
    return impl_->put_signed(kEnd, fields);
  });
}

double DecisionLog::now() { return impl_->time(); }

const std::optional<Error>& DecisionLog::failure() const { return impl_->failure; }
const std::string& DecisionLog::session() const { return impl_->setup.session; }

}  // namespace agentlock
