#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "agentlock/clock.hpp"
#include "agentlock/decision_log.hpp"
#include "agentlock/file_sink.hpp"
#include "agentlock/signing_key.hpp"
#include "base/json.hpp"
#include "tools/recorder.hpp"

namespace agentlock::tools::test {

/// A disk in memory; step number `fail_at` (from 0) of what is asked of it fails.
struct ModelDisk {
  std::string bytes;
  int steps = 0;
  int fail_at = -1;
};

class ModelSink final : public FileSink {
 public:
  explicit ModelSink(ModelDisk& disk) : disk_(disk) {}
  Result<void> open(const std::filesystem::path&) override { return step(); }
  Result<void> lock() override { return step(); }
  void unlock() override {}
  Result<void> check() override { return step(); }
  Result<bool> at_line_start() override {
    if (auto done = step(); !done) return tl::unexpected(done.error());
    return disk_.bytes.empty() || disk_.bytes.back() == '\n';
  }
  Result<std::size_t> write(std::string_view bytes) override {
    if (auto done = step(); !done) return tl::unexpected(done.error());
    disk_.bytes += bytes;
    return bytes.size();
  }
  Result<void> sync() override { return step(); }

 private:
  Result<void> step() {
    if (disk_.steps++ != disk_.fail_at) return {};
    return fail(ErrorCode::kIo, "/model/log: No space left on device");
  }
  ModelDisk& disk_;
};

struct ModelClock final : Clock {
  double now() const override { return seconds; }
  std::chrono::steady_clock::time_point monotonic() const override { return {}; }
  double seconds = 1754500000.5;
};

/// What a recorder writes to, and a look at what it wrote.
struct ModelSession {
  Recorder::Setup setup(bool log_page_text = false) {
    DecisionLog::Setup log{.path = "/model/log",
                           .heads = {},
                           .session = new_session_id(),
                           .key = &key,
                           .clock = &clock,
                           .sink = std::make_unique<ModelSink>(disk)};
    return {.log = std::make_unique<DecisionLog>(std::move(log), Json{{"version", "0.1.0"}}),
            .key = &key,
            .method = SigningMethod::kEd25519,
            .role = "operator",
            .policy_hash = std::string(64, 'a'),
            .log_page_text = log_page_text};
  }

  std::vector<Json> lines() const {
    std::vector<Json> found;
    std::istringstream in(disk.bytes);
    for (std::string line; std::getline(in, line);) found.push_back(Json::parse(line));
    return found;
  }
  std::vector<Json> lines(std::string_view event) const {
    std::vector<Json> found;
    for (Json& line : lines()) {
      if (line.at("event") == event) found.push_back(std::move(line));
    }
    return found;
  }
  /// "session_start provenance decision "
  std::string events() const {
    std::string names;
    for (const Json& line : lines()) names += line.at("event").get<std::string>() + " ";
    return names;
  }

  static SigningKey made_key() {
    std::array<std::uint8_t, 32> seed{};
    for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
    return std::move(*SigningKey::from_seed(seed));
  }

  ModelDisk disk;
  ModelClock clock;
  SigningKey key = made_key();
};

}  // namespace agentlock::tools::test
