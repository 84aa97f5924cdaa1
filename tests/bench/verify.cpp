// How fast does `agentlock-browser verify` read a log, and in how much memory? The log is
// one finished session of decisions, each with its receipt, as the server writes them.

#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "agentlock/clock.hpp"
#include "agentlock/context_chain.hpp"
#include "agentlock/decision_log.hpp"
#include "agentlock/receipt.hpp"
#include "base/json.hpp"
#include "cli/demo_process.hpp"
#include "support/scratch_folder.hpp"

namespace {

using namespace agentlock;

/// Hands the lines to the file; a benchmark needs nothing on the disk.
class PlainSink final : public FileSink {
 public:
  explicit PlainSink(const std::string& path) : file_(path, std::ios::binary) {}
  Result<void> open(const std::filesystem::path&) override { return {}; }
  Result<void> lock() override { return {}; }
  void unlock() override {}
  Result<void> check() override { return {}; }
  Result<bool> at_line_start() override { return true; }
  Result<std::size_t> write(std::string_view bytes) override {
    file_ << bytes;
    written += bytes.size();
    return bytes.size();
  }
  Result<void> sync() override { return {}; }

  std::size_t written = 0;

 private:
  std::ofstream file_;
};

Json decision(const SigningKey& key, const Clock& clock, std::size_t number) {
  const std::string url = "https://docs.example.com/page/" + std::to_string(number);
  Receipt receipt;
  receipt.timestamp = clock.now();
  receipt.decision = "deny";
  receipt.tool_name = "browser.navigate";
  receipt.user_id = "agentlock-browser";
  receipt.role = "operator";
  receipt.parameters_hash = parameters_hash(text_parameters("url", url));
  receipt.reason = "param_lineage";
  receipt.policy_version_hash = std::string(64, 'a');
  receipt.context_hash = ContextChain().head();
  Json fields = {{"action", receipt.tool_name},
                 {"parameters", {{"url", url}}},
                 {"decision", receipt.decision},
                 {"decided_by", "agentlock_gate"},
                 {"channel", "PAGE"},
                 {"reason", receipt.reason},
                 {"confirmation", "unavailable"},
                 {"href", url},
                 {"origin", "https://docs.example.com"},
                 {"detail",
                  "This value came from a page, not from the operator. Use what the operator said, "
                  "or ask the operator to give you the value."},
                 {"audit_id", "agentlock-2026-11-30-01234567"}};
  fields["receipt"] = to_json(*issue(std::move(receipt), key, SigningMethod::kEd25519));
  return fields;
}

std::size_t write_log(const std::string& path, const SigningKey& key, std::size_t size) {
  const SystemClock clock;
  auto sink = std::make_unique<PlainSink>(path);
  const PlainSink& written = *sink;
  DecisionLog log({.path = path,
                   .heads = {},
                   .session = new_session_id(),
                   .key = &key,
                   .clock = &clock,
                   .sink = std::move(sink)},
                  Json::object());
  std::size_t receipts = 0;
  for (; written.written < size; ++receipts) {
    if (!log.append("decision", decision(key, clock, receipts))) return 0;
  }
  return log.end(Json::object()) ? receipts : 0;
}

std::size_t peak_kilobytes(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t megabytes = 50;
  if (argc == 3) {
    const std::string_view text = argv[2];
    std::from_chars(text.data(), text.data() + text.size(), megabytes);
  }
  if (argc < 2 || argc > 3 || megabytes == 0) {
    std::fprintf(stderr, "usage: verify BINARY [MEGABYTES]\n");
    return 2;
  }
  const test::ScratchFolder folder;
  auto key = SigningKey::load_or_create(folder.path() / "key");
  if (!key) return 1;
  const std::size_t receipts = write_log(folder.file("log"), *key, megabytes * 1'000'000);

  cli::demo::Launch launch;
  launch.program = argv[1];
  launch.arguments = {"verify", folder.file("log"), "--key", folder.file("key.pub")};
  launch.environment = cli::demo::minimal_environment(folder.path());
  const auto begin = std::chrono::steady_clock::now();
  auto process = cli::demo::PipedProcess::start(launch);
  if (!process || receipts == 0) return 1;
  std::size_t peak = 0;
  std::optional<cli::demo::ExitStatus> ended;
  while (!(ended = process->status())) {
    peak = std::max(peak, peak_kilobytes(process->pid()));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const double cpu = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  std::printf(
      "verify, %zu MB with %zu receipts: %.2f s (%.2f s of a core, %.1f MB/s), peak %.1f MB, "
      "exit %d\n",
      megabytes, receipts, time.count(), cpu, static_cast<double>(megabytes) / cpu,
      static_cast<double>(peak) / 1'024, ended->code);
  return ended->code;
}
