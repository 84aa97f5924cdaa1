#include <chrono>

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include "unit/agentlock/log_support.hpp"

// Memory that does not grow with the log but for 16 bytes a receipt: measured on logs of
// 20 and 200 MB, as the system counts it, in a process of its own for each.

using namespace agentlock;
using namespace agentlock::test;

namespace {

/// Lines go to the file at once; nobody needs them on the disk.
class PlainSink final : public FileSink {
 public:
  explicit PlainSink(const std::filesystem::path& path) : file_(path, std::ios::binary) {}
  Result<void> open(const std::filesystem::path&) override { return {}; }
  Result<void> lock() override { return {}; }
  void unlock() override {}
  Result<void> check() override { return {}; }
  Result<bool> at_line_start() override { return true; }
  Result<std::size_t> write(std::string_view bytes) override {
    file_ << bytes;
    return bytes.size();
  }
  Result<void> sync() override { return {}; }

 private:
  std::ofstream file_;
};

/// A finished session of at least that size; how many receipts are in it.
std::size_t write_log(const std::filesystem::path& path, const SigningKey& key, std::size_t size) {
  ModelClock clock;
  ModelFile unused;
  auto setup = ModelLog::setup(unused, key, clock, new_session_id());
  setup.sink = std::make_unique<PlainSink>(path);
  DecisionLog log(std::move(setup), ModelLog::start());
  std::size_t receipts = 0;
  std::size_t written = 0;
  Json fields = decision_fields(key);
  // What a decision of the server's own has besides.
  fields["detail"] = std::string(1'000, 'd');
  for (; written < size; ++receipts) {
    fields["receipt"] = decision_fields(key)["receipt"];
    REQUIRE(log.append("decision", fields));
    written += 2'000;
  }
  REQUIRE(log.end(Json::object()));
  return receipts;
}

/// A line of /proc/self/status, in kilobytes.
std::size_t kilobytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1));
  }
  return 0;
}

/// By how many kilobytes verifying that log makes a process grow at most.
std::size_t growth(const std::filesystem::path& path, const SigningKey& key) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::size_t before = kilobytes("VmRSS");
    VerifyOptions options;
    options.key = key.public_key();
    std::ifstream in(path, std::ios::binary);
    const auto report = verify_log(in, options);
    if (!report || report->verdict != LogVerdict::kVerified) ::_exit(1);
    const std::size_t grown = kilobytes("VmHWM") - before;
    ::_exit(::write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  ::close(ends[1]);
  std::size_t grown = 0;
  CHECK(::read(ends[0], &grown, sizeof grown) == sizeof grown);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  return grown;
}

}  // namespace

TEST_CASE("verifying a log ten times as long takes 16 bytes more for each receipt", "[.long]") {
  constexpr std::size_t kMegabyte = 1'000'000;
  const TempFolder folder;
  const SigningKey key = test_key();
  const std::size_t few = write_log(folder / "short", key, 20 * kMegabyte);
  const std::size_t many = write_log(folder / "long", key, 200 * kMegabyte);
  CHECK(std::filesystem::file_size(folder / "long") > 200 * kMegabyte);
  const std::size_t small = growth(folder / "short", key);
  const std::size_t large = growth(folder / "long", key);
  INFO(small << " kB for " << few << " receipts, " << large << " kB for " << many);
  // The ids lie in blocks of 512 bytes, each with a pointer, and the pointers in a block
  // that doubles; one more megabyte for what an allocator does.
  const std::size_t for_receipts = (many - few) * 16 * 21 / 20 / 1'000;
  CHECK(large <= small + for_receipts + 1'000);
}
