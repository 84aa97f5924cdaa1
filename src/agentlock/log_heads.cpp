// A text file of records of one size, so that a session can overwrite its own in
// place while others do the same with theirs: the cost of a checkpoint does not
// grow with the number of sessions, and no session can harm another's record. The
// lock is only needed to take a record, which makes the file longer.

#include "agentlock/log_heads.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agentlock/sha256.hpp"

namespace agentlock {
namespace {

constexpr std::size_t kSessionSize = 40;
constexpr std::size_t kSeqSize = 20;
constexpr std::size_t kHashSize = 64;
constexpr std::size_t kRecordSize = kSessionSize + kSeqSize + 2 * kHashSize + 4;

std::string record_of(std::string_view session, std::uint64_t seq, std::string_view hash,
                      std::string_view log) {
  std::string digits = std::to_string(seq);
  digits.insert(0, kSeqSize - digits.size(), '0');
  std::string record(session);
  record.resize(kSessionSize, ' ');
  record += ' ' + digits + ' ';
  record += hash;
  record += ' ';
  record += log;
  record += '\n';
  return record;
}

}  // namespace

std::string log_place(const std::filesystem::path& log) {
  std::error_code failure;
  const auto canonical = std::filesystem::weakly_canonical(log, failure);
  return sha256_hex((failure ? log : canonical).native());
}

LogHeads::LogHeads(std::filesystem::path path, Descriptor file, off_t offset, std::string session,
                   std::string log)
    : path_(std::move(path)),
      file_(std::move(file)),
      offset_(offset),
      session_(std::move(session)),
      log_(std::move(log)) {}

Result<LogHeads> LogHeads::open(const std::filesystem::path& file, std::string session, Head head) {
  if (session.empty() || session.size() > kSessionSize ||
      session.find_first_of(" \n") != std::string::npos) {
    return fail(ErrorCode::kInvalidArgument, "a session id that the heads file can't hold");
  }
  AGENTLOCK_TRY(folder, open_own_folder(file.parent_path()));
  AGENTLOCK_TRY(open, open_own_file(folder, file, O_RDWR));
  if (!open) {
    auto made = create_whole(folder, file, 0600, "");
    if (!made) return tl::unexpected(made.error());
    AGENTLOCK_TRY(again, open_own_file(folder, file, O_RDWR));
    if (!again) return fail(ErrorCode::kIo, file.string() + " vanished after it was made");
    open = std::move(again);
  }
  if (auto locked = lock_file(open->get(), file); !locked) return tl::unexpected(locked.error());
  struct stat status{};
  if (::fstat(open->get(), &status) != 0) return system_failure(file, "cannot be examined");
  // A record that a dying process left half written is overwritten.
  constexpr auto kSize = static_cast<off_t>(kRecordSize);
  LogHeads heads(file, std::move(*open), status.st_size / kSize * kSize, std::move(session),
                 std::move(head.log));
  auto taken = heads.advance(head.seq, head.hash);
  ::flock(heads.file_.get(), LOCK_UN);
  if (!taken) return tl::unexpected(taken.error());
  return heads;
}

Result<void> LogHeads::advance(std::uint64_t seq, std::string_view hash) {
  if (!write_fully(file_.get(), record_of(session_, seq, hash, log_), offset_)) {
    return system_failure(path_, "cannot be written");
  }
  if (::fdatasync(file_.get()) != 0) return system_failure(path_, "cannot be kept on disk");
  return {};
}

Result<std::map<std::string, Head>> load_heads(const std::filesystem::path& file) {
  std::map<std::string, Head> heads;
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (status.type() == std::filesystem::file_type::not_found) return heads;
  // Opening a FIFO would wait for a writer.
  if (status.type() != std::filesystem::file_type::regular) {
    return fail(ErrorCode::kIo, file.string() + " cannot be read, or is no regular file");
  }
  std::ifstream in(file, std::ios::binary);
  std::string record(kRecordSize, '\0');
  while (in.read(record.data(), static_cast<std::streamsize>(kRecordSize))) {
    const std::string session = record.substr(0, record.find(' '));
    Head head;
    const char* digits = record.data() + kSessionSize + 1;
    const auto parsed = std::from_chars(digits, digits + kSeqSize, head.seq);
    head.hash = record.substr(kSessionSize + kSeqSize + 2, kHashSize);
    head.log = record.substr(kSessionSize + kSeqSize + kHashSize + 3, kHashSize);
    if (parsed.ec != std::errc() || record != record_of(session, head.seq, head.hash, head.log)) {
      return fail(ErrorCode::kProtocol, file.string() + " is no heads file");
    }
    heads[session] = std::move(head);
  }
  if (in.bad() || !in.eof()) return fail(ErrorCode::kIo, file.string() + " cannot be read");
  return heads;
}

}  // namespace agentlock
