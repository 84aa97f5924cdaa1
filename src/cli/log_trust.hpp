#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "agentlock/signing_key.hpp"
#include "agentlock/verify.hpp"

namespace agentlock::cli {

/// Exit codes of the commands that judge a log: docs/decision-log.md.
int exit_code(LogVerdict verdict);
inline constexpr int kUsageExit = 2;
inline constexpr int kUnreadableExit = 5;

/// What the user named on the command line: a log and, maybe, keys.
struct TrustedWith {
  std::string log;
  std::optional<std::string> key;     ///< file of the public key
  std::optional<std::string> secret;  ///< file of the private key
};

/// What a log is held against: the keys that were named, else the user's own.
struct Trust {
  std::filesystem::path log;
  std::filesystem::path key_file;     ///< empty if there is none
  std::filesystem::path secret_file;  ///< where the private key is, or would be
  std::optional<PublicKey> key;
  std::optional<SigningKey> secret;

  /// Refers to this object.
  VerifyOptions verify_options() const;
  /// All of these files: none of them may be written over.
  std::vector<std::filesystem::path> files() const;
};

/// Errors: a key file that was named and can't be read, or one that is not a key.
Result<Trust> trust_of(const TrustedWith& named);

/// The log, opened. kIo for what is no regular file: a FIFO would make us wait, and a
/// device without end never come to one.
Result<std::ifstream> open_log(const std::filesystem::path& log);

}  // namespace agentlock::cli
