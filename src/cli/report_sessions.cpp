#include "cli/report_sessions.hpp"

#include <algorithm>

namespace agentlock::cli::report {

Session& SessionBook::touch(const std::string& name, std::uint64_t line) {
  auto found = sessions_.find(name);
  if (found == sessions_.end()) {
    // Many at once, so that looking for them costs little.
    if (sessions_.size() >= 2 * most_) forget(kSpare);
    found = sessions_.try_emplace(name).first;
    found->second.name = name;
    found->second.first_line = line;
  }
  found->second.last_line = line;
  return found->second;
}

Session* SessionBook::find(const std::string& name) {
  const auto found = sessions_.find(name);
  return found == sessions_.end() ? nullptr : &found->second;
}

void SessionBook::forget(std::size_t keep_idle) {
  std::vector<std::pair<std::uint64_t, std::string>> idle;
  for (const auto& [name, session] : sessions_) {
    if (session.kept == 0) idle.emplace_back(session.last_line, name);
  }
  if (idle.size() <= keep_idle) return;
  std::ranges::sort(idle);
  for (std::size_t i = 0; i + keep_idle < idle.size(); ++i) sessions_.erase(idle[i].second);
}

std::vector<Session> SessionBook::take() {
  forget(kSpare);
  std::vector<Session> taken;
  for (auto& [name, session] : sessions_) taken.push_back(std::move(session));
  sessions_.clear();
  std::ranges::sort(taken, {}, &Session::first_line);
  return taken;
}

}  // namespace agentlock::cli::report
