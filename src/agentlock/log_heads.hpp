#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "agentlock/own_file.hpp"
#include "agentlock/result.hpp"

namespace agentlock {

/// Where a session's chain had come to when it was last made certain.
struct Head {
  std::uint64_t seq = 0;
  std::string hash;
  std::string log;  ///< log_place() of the file that it was written to
};

/// One name for a log file, however its path is written.
std::string log_place(const std::filesystem::path& log);

/// One session's record in the `heads` file beside the signing key. The file keeps
/// what the log can't prove about itself: how far each session went, so that a cut
/// tail or a session cut out is found (attacks.md A50). Source: docs/decision-log.md.
class LogHeads {
 public:
  /// Takes a record for the session, at its first line.
  static Result<LogHeads> open(const std::filesystem::path& file, std::string session, Head head);

  /// Overwrites the record and returns when it is on the disk.
  Result<void> advance(std::uint64_t seq, std::string_view hash);

 private:
  LogHeads(std::filesystem::path path, Descriptor file, off_t offset, std::string session,
           std::string log);

  std::filesystem::path path_;
  Descriptor file_;
  off_t offset_;
  std::string session_;
  std::string log_;
};

/// All records by session; empty if there is no file. kProtocol for a file that is
/// not of this form.
Result<std::map<std::string, Head>> load_heads(const std::filesystem::path& file);

}  // namespace agentlock
