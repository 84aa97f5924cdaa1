// What recording page text costs: bytes a second and bytes of memory a byte, for each
// kind of text. `index` is the lineage index alone, `ledger` all that a session does with
// a page: keeping it, hashing it, indexing it. Beside them SHA-256 and memcpy of the same
// bytes; `of_sha` is a rate as a share of SHA-256's in the same run, which can be compared
// from machine to machine. Times are those of one core.

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "agentlock/lineage.hpp"
#include "agentlock/sha256.hpp"
#include "agentlock/url.hpp"
#include "bench/cpu_clock.hpp"
#include "bench/subject.hpp"
#include "bench/texts.hpp"

namespace agentlock::bench {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
constexpr std::size_t kPage = 64'000;

using Pages = std::vector<std::string_view>;

struct Text {
  std::string bytes;
  double sha_rate = 0;  // bytes a second
};

void hash_pages(const Pages& cut) {
  for (const std::string_view page : cut) benchmark::DoNotOptimize(sha256_hex(page));
}

double best_sha_rate(const std::string& bytes) {
  const Pages cut = pages(bytes, kPage);
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    best = std::min(best, cpu_time([&] { hash_pages(cut); }));
  }
  return static_cast<double>(bytes.size()) / best;
}

// Only the latest text is kept.
const Text& text_of(const TextKind& kind, std::size_t size) {
  static std::pair<std::string_view, std::size_t> made;
  static Text text;
  if (made != std::pair(kind.name, size)) {
    made = {kind.name, size};
    text = {kind.make(size), 0};
    text.sha_rate = best_sha_rate(text.bytes);
  }
  return text;
}

std::size_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// `record` gets the pages and returns what then holds them.
template <typename Record>
void measure(benchmark::State& state, const TextKind& kind, std::size_t size, Record record) {
  const Text& text = text_of(kind, size);
  const Pages cut = pages(text.bytes, kPage);
  std::size_t memory = 0;
  double total = 0;
  for (auto _ : state) {
    const std::size_t before = allocated();
    const double begin = cpu_seconds();
    const auto held = record(cut);
    const double took = cpu_seconds() - begin;
    memory = allocated() - before;
    state.SetIterationTime(took);
    total += took;
    benchmark::DoNotOptimize(held);
  }
  const auto bytes = static_cast<double>(text.bytes.size());
  const double rate = bytes * static_cast<double>(state.iterations()) / total;
  state.counters["MB/s"] = rate / 1e6;
  state.counters["of_sha"] = rate / text.sha_rate;
  state.counters["B/B"] = static_cast<double>(memory) / bytes;
}

std::unique_ptr<LineageIndex> index_pages(const Pages& cut) {
  auto index = std::make_unique<LineageIndex>();
  for (const std::string_view page : cut) index->add(Authority::kUntrusted, page);
  return index;
}

std::unique_ptr<Ledger> record_pages(const Policy& policy, const Pages& cut) {
  auto ledger = make_ledger(policy);
  const Origin origin = parse_navigable("https://page.example/")->origin();
  for (const std::string_view page : cut) {
    benchmark::DoNotOptimize(ledger->record_page(std::string(page), origin, "read_text"));
  }
  return ledger;
}

std::nullptr_t copy_pages(const Pages& cut) {
  static std::string copy;
  for (const std::string_view page : cut) {
    copy.resize(std::max(copy.size(), page.size()));
    std::memcpy(copy.data(), page.data(), page.size());
    benchmark::DoNotOptimize(copy.data());
  }
  return nullptr;
}

template <typename Record>
void add(std::string name, const TextKind& kind, std::size_t megabytes, Record record) {
  name += "/" + std::string(kind.name) + "/" + std::to_string(megabytes) + "MB";
  const std::size_t size = megabytes * kMegabyte;
  const auto run = [&kind, size, record](benchmark::State& state) {
    measure(state, kind, size, record);
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond);
}

void add_recording(const TextKind& kind, std::size_t megabytes) {
  add("index/agentlock", kind, megabytes, index_pages);
  for (const LineageMode mode : kModes) {
    const auto record = [mode](const Pages& cut) { return record_pages(policy_of(mode), cut); };
    add("ledger/" + std::string(to_string(mode)), kind, megabytes, record);
  }
}

const bool added = [] {
  const TextKind& web = usual_texts().front();
  add("sha256", web, 10, [](const Pages& cut) {
    hash_pages(cut);
    return nullptr;
  });
  add("memcpy", web, 10, copy_pages);
  for (const TextKind& kind : usual_texts()) add_recording(kind, 10);
  add_recording(web, 1);
  add_recording(web, 100);
  // Twice, as ten times the text must take ten times the time.
  for (const TextKind& kind : hostile_texts()) {
    add_recording(kind, 1);
    add_recording(kind, 10);
  }
  return true;
}();

}  // namespace
}  // namespace agentlock::bench
