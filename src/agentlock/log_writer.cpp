// One line is one write(2) under a lock, so that several servers can share a log.
// Three things can still go wrong.
//
// - The write is short (a full disk, a signal): the rest is written at once, the
//   lock being still held. If the rest does not fit, a torn line stays behind.
// - Someone else left a torn line, by a full disk or by dying: it is ended by an
//   LF before ours begins, so that it can't swallow our line. Whoever left it
//   never continues its chain, which is how verification tells torn from forged.
// - The file under the path is no longer the one that is open: what we write
//   would go where nobody looks. That is checked under the lock, before each line.

#include "agentlock/log_writer.hpp"

namespace agentlock {

Result<void> LogWriter::append(std::string_view line) {
  if (!open_) {
    if (auto opened = sink_->open(path_); !opened) return opened;
    open_ = true;
  }
  if (auto locked = sink_->lock(); !locked) return locked;
  auto appended = append_locked(line);
  sink_->unlock();
  return appended;
}

Result<void> LogWriter::append_locked(std::string_view line) {
  if (auto same = sink_->check(); !same) return same;
  AGENTLOCK_TRY(clean, sink_->at_line_start());
  if (!clean) {
    if (auto ended = sink_->write("\n"); !ended) return tl::unexpected(ended.error());
  }
  while (!line.empty()) {
    AGENTLOCK_TRY(written, sink_->write(line));
    line.remove_prefix(written);
  }
  return {};
}

}  // namespace agentlock
