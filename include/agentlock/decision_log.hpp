#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "agentlock/clock.hpp"
#include "agentlock/file_sink.hpp"
#include "agentlock/result.hpp"
#include "agentlock/signing_key.hpp"

namespace agentlock {

/// `als_` and 27 characters of URL-safe base64: 20 random bytes.
std::string new_session_id();

/// The append-only, hash-chained, signed log of one session's decisions. Several
/// sessions, also of several processes, may write to one file. An event is in the
/// file when append() returns; the caller acts only then.
///
/// A log that failed once, or in which a call ended by an exception, stays failed: its
/// chain ended there, and every later call returns the same error, which names the path
/// and the reason.
///
/// An event `decision` needs the member `receipt` (to_json() of a receipt that issue()
/// made with the same key); without it verify_log() calls the log broken. All other
/// events and members are the caller's own.
///
/// Not for use by several threads at once. The format is in docs/decision-log.md.
class DecisionLog {
 public:
  struct Setup {
    std::filesystem::path path;   ///< of the log; nothing is made before the first event
    std::filesystem::path heads;  ///< heads_beside() the key's file; empty for none
    std::string session;          ///< new_session_id()
    const SigningKey* key;        ///< outlives the log
    const Clock* clock;           ///< outlives the log
    /// Null for system_file_sink().
    std::unique_ptr<FileSink> sink = nullptr;
  };

  /// `session_start`: the members of that event (version, configuration without
  /// secrets); the log adds `public_key` and `signing_key_id`. It is written just
  /// before the first other event, so that a start that does nothing leaves nothing.
  DecisionLog(Setup setup, const nlohmann::ordered_json& session_start);
  DecisionLog(DecisionLog&&) noexcept;
  DecisionLog& operator=(DecisionLog&&) noexcept;
  ~DecisionLog();

  /// Writes one event. `fields` is an object; kInvalidArgument if it holds a member
  /// that the log sets itself, kLimit if the line would be over 16 MiB: then nothing
  /// is written and the log stays usable. After 100 unsigned lines a checkpoint
  /// follows.
  Result<void> append(std::string_view event, const nlohmann::ordered_json& fields);

  /// Writes a checkpoint if a line has waited for one for five seconds or more; true
  /// if it did. To be called by a timer.
  Result<bool> checkpoint_if_due();

  /// Writes `session_end` and closes the session's chain; nothing if no event was
  /// ever written. Later events are refused.
  Result<void> end(const nlohmann::ordered_json& fields);

  /// Seconds since 1970 that never fall within the session, whatever the clock does:
  /// for what is to agree with the `ts` of lines.
  double now();

  /// Why the log can't be written any more, if so.
  const std::optional<Error>& failure() const;
  const std::string& session() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agentlock
