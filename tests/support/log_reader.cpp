#include "support/log_reader.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/inotify.h>

#include "cli/demo_process.hpp"

namespace agentlock::test {
std::string LogReader::bytes() const {
  std::ifstream file(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Json> LogReader::events() const {
  const std::string all = bytes();
  std::vector<Json> events;
  std::size_t start = 0;
  for (std::size_t end = all.find('\n'); end != std::string::npos; end = all.find('\n', start)) {
    Result<Json> line = parse_json(all.substr(start, end - start));
    if (!line || !line->is_object()) throw std::runtime_error("a log line that is no object");
    events.push_back(std::move(*line));
    start = end + 1;
  }
  return events;
}

std::vector<Json> LogReader::events(std::string_view kind) const {
  std::vector<Json> chosen;
  for (Json& event : events()) {
    if (string_member(event, "event") == kind) chosen.push_back(std::move(event));
  }
  return chosen;
}

std::vector<Json> LogReader::decided(std::string_view verdict) const {
  std::vector<Json> chosen;
  for (Json& event : decisions()) {
    if (string_member(event, "decision") == verdict) chosen.push_back(std::move(event));
  }
  return chosen;
}

std::optional<Json> LogReader::wait_for(const std::function<bool(const Json&)>& fits,
                                        Deadline deadline) const {
  const Descriptor changes(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  const std::string folder = std::filesystem::path(path_).parent_path();
  if (::inotify_add_watch(changes.get(), folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0) {
    return std::nullopt;
  }
  while (true) {
    for (Json& event : events()) {
      if (fits(event)) return std::move(event);
    }
    std::vector<cli::demo::Wait> waits{{changes.get(), POLLIN}};
    if (!cli::demo::wait_for_any(waits, deadline)) return std::nullopt;
    std::array<char, 4096> ignored{};
    while (::read(changes.get(), ignored.data(), ignored.size()) > 0) {
    }
  }
}

}  // namespace agentlock::test
