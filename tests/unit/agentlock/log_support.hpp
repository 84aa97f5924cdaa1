#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "agentlock/clock.hpp"
#include "agentlock/context_chain.hpp"
#include "agentlock/decision_log.hpp"
#include "agentlock/file_sink.hpp"
#include "agentlock/receipt.hpp"
#include "agentlock/verify.hpp"
#include "base/json.hpp"

/// Models and helpers for the tests of keys, receipts and the decision log.
namespace agentlock::test {

/// A private folder, removed at the end.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "agentlock-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  TempFolder(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A clock that the test moves, for both kinds of time.
struct ModelClock final : Clock {
  double seconds = 1754500000.5;
  std::chrono::steady_clock::time_point steady;

  double now() const override { return seconds; }
  std::chrono::steady_clock::time_point monotonic() const override { return steady; }
  void advance(double by) {
    seconds += by;
    steady += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(by));
  }
};

/// A file in memory, whose Nth step fails if so planned. It outlives the sinks that
/// write to it, as a disk does.
struct ModelFile {
  std::string bytes;
  std::string synced;            // what would survive losing the power
  std::size_t room = 1U << 30U;  // how much fits on the disk
  std::size_t most_at_once = 1U << 30U;
  int fail_at = -1;  // this step fails, counted from 0
  int steps = 0;
  int locked = 0;
  int writes = 0;
};

class ModelSink final : public FileSink {
 public:
  explicit ModelSink(ModelFile& file) : file_(file) {}

  Result<void> open(const std::filesystem::path&) override { return step("open"); }
  Result<void> lock() override {
    if (auto done = step("lock"); !done) return done;
    ++file_.locked;
    return {};
  }
  void unlock() override { --file_.locked; }
  Result<void> check() override { return step("check"); }
  Result<bool> at_line_start() override {
    if (auto done = step("examine"); !done) return tl::unexpected(done.error());
    return file_.bytes.empty() || file_.bytes.back() == '\n';
  }
  Result<std::size_t> write(std::string_view bytes) override {
    if (auto done = step("write"); !done) return tl::unexpected(done.error());
    ++file_.writes;
    const std::size_t left = file_.room - std::min(file_.room, file_.bytes.size());
    const std::size_t taken = std::min({bytes.size(), left, file_.most_at_once});
    if (taken == 0) return fail(ErrorCode::kIo, "/model/log: cannot be written: No space left");
    file_.bytes += bytes.substr(0, taken);
    return taken;
  }
  Result<void> sync() override {
    if (auto done = step("sync"); !done) return done;
    file_.synced = file_.bytes;
    return {};
  }

 private:
  Result<void> step(std::string_view what) {
    if (file_.steps++ != file_.fail_at) return {};
    return fail(ErrorCode::kIo, "/model/log: planned failure of " + std::string(what));
  }

  ModelFile& file_;
};

inline SigningKey test_key(std::uint8_t first = 0) {
  std::array<std::uint8_t, 32> seed{};
  for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(first + i);
  return std::move(*SigningKey::from_seed(seed));
}

inline Json decision_fields(const SigningKey& key, std::string_view decision = "allow",
                            SigningMethod method = SigningMethod::kEd25519,
                            double timestamp = 1754500000.25) {
  Receipt receipt;
  receipt.timestamp = timestamp;
  receipt.decision = decision;
  receipt.tool_name = "browser.navigate";
  receipt.user_id = "agentlock-browser";
  receipt.role = "operator";
  receipt.parameters_hash = parameters_hash(text_parameters("url", "http://evil.test/x"));
  receipt.context_hash = ContextChain().head();
  if (decision == "deny") receipt.reason = "param_lineage";
  Json fields = {{"action", receipt.tool_name},
                 {"parameters", {{"url", "http://evil.test/x"}}},
                 {"decision", receipt.decision},
                 {"channel", decision == "deny" ? "PAGE" : "USER"},
                 {"reason", receipt.reason}};
  fields["receipt"] = to_json(*issue(std::move(receipt), key, method));
  return fields;
}

/// One session that writes to a model file.
struct ModelLog {
  ModelFile& file;
  const SigningKey& key;
  ModelClock& clock;
  DecisionLog log;

  ModelLog(ModelFile& to, const SigningKey& with, ModelClock& by,
           std::string session = new_session_id())
      : file(to), key(with), clock(by), log(setup(to, with, by, std::move(session)), start()) {}

  static DecisionLog::Setup setup(ModelFile& file, const SigningKey& key, ModelClock& clock,
                                  std::string session) {
    return {.path = "/model/log",
            .heads = {},
            .session = std::move(session),
            .key = &key,
            .clock = &clock,
            .sink = std::make_unique<ModelSink>(file)};
  }
  static Json start() {
    Json fields = Json::object();
    fields["version"] = "0.1.0";
    return fields;
  }

  Result<void> decide(std::string_view decision = "allow") {
    return log.append("decision",
                      decision_fields(key, decision, SigningMethod::kEd25519, log.now()));
  }
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

inline VerifyReport verified(const std::string& text, const SigningKey* pinned = nullptr) {
  VerifyOptions options;
  if (pinned != nullptr) options.key = pinned->public_key();
  std::istringstream in(text);
  return *verify_log(in, options);
}

}  // namespace agentlock::test
