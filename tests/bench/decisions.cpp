// What a decision costs while a session has read more and more: navigate and type, for
// values that stand on a page (hit), that stand nowhere (miss) and that the operator gave
// (clean), without the signature. Each decision is timed by itself, in time of one core;
// the clock's own cost, some 0.2 us, is in the figures. The signature, and the hash of the
// parameters that it covers, are measured apart.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "agentlock/gate.hpp"
#include "agentlock/receipt.hpp"
#include "bench/cpu_clock.hpp"
#include "bench/subject.hpp"
#include "bench/texts.hpp"

namespace agentlock::bench {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
constexpr std::size_t kPage = 64'000;
constexpr std::size_t kMaxRecorded = 100;

constexpr std::string_view kOperator =
    "Compare the offers on https://shop.example/offers/2025 and https://www.market.example for "
    "order "
    "AB-20391-X, then write to office@shop.example that Dr. Longstocking comes on 2025-04-17.";

Origin page_origin() { return parse_navigable("https://page.example/")->origin(); }

// An element for each hundred bytes or so, as on a page.
std::vector<Ledger::Mark> marks(std::string_view page) {
  std::vector<Ledger::Mark> all;
  for (std::size_t at = 0; at < page.size(); at += 100) {
    all.push_back({at, "e" + std::to_string(all.size())});
  }
  return all;
}

// A ledger that has read so much; the same one grows from benchmark to benchmark.
const Ledger& ledger_with(LineageMode mode, std::size_t megabytes) {
  static std::unique_ptr<Ledger> ledger;
  static LineageMode recorded_for{};
  static std::size_t recorded = 0;
  static const std::string text = web_text(kMaxRecorded * kMegabyte);
  static const std::vector<std::string_view> cut = pages(text, kPage);
  static std::size_t next_page = 0;
  if (!ledger || recorded_for != mode || recorded > megabytes * kMegabyte + kPage) {
    ledger = make_ledger(policy_of(mode));
    ledger->record_operator(std::string(kOperator), "operator_text");
    recorded_for = mode;
    recorded = next_page = 0;
  }
  for (; recorded < megabytes * kMegabyte && next_page < cut.size(); ++next_page) {
    recorded += cut[next_page].size();
    benchmark::DoNotOptimize(ledger->record_page(std::string(cut[next_page]), page_origin(),
                                                 "read_text", marks(cut[next_page])));
  }
  return *ledger;
}

struct Values {
  std::vector<std::string> urls;
  std::vector<std::string> typed;
};

// Links and addresses of a text, from all over it.
Values read_on_pages(std::string_view text) {
  Values values;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t from = text.size() / 200 * i;
    const std::size_t link = text.find("https://", from);
    if (link != std::string_view::npos) {
      values.urls.emplace_back(text.substr(link, text.find_first_of(" ,\n", link) - link));
    }
    const std::size_t at = text.find('@', from);
    if (at != std::string_view::npos) {
      const std::size_t begin = text.find_last_of(" \n", at) + 1;
      values.typed.emplace_back(text.substr(begin, text.find_first_of(" ,\n", at) - begin));
    }
  }
  return values;
}

Values read_first(std::size_t megabytes) {
  return read_on_pages(web_text(std::max<std::size_t>(megabytes, 1) * kMegabyte));
}

Values made_up(std::size_t) {
  Values values;
  for (int i = 0; i < 200; ++i) {
    const std::string number = std::to_string(i * 7919);
    values.urls.push_back("https://www.nowhere" + number + ".example/path/to/page?id=" + number);
    values.typed.push_back("an internationally unheard-of invoice no. 77-" + number +
                           " for mallory" + number + "@nowhere.example");
  }
  return values;
}

Values operators_own(std::size_t) {
  return {{"https://shop.example/offers/2025", "https://www.market.example"},
          {"AB-20391-X", "office@shop.example", "2025-04-17", "Dr. Longstocking"}};
}

struct Case {
  std::string_view name;
  Values (*values)(std::size_t megabytes);
};

constexpr std::array kCases = {Case{"hit", read_first}, Case{"miss", made_up},
                               Case{"clean", operators_own}};

double at(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

// Times `decide` for one value after the other.
template <typename Decide>
void measure(benchmark::State& state, const std::vector<std::string>& values, Decide decide) {
  std::vector<double> times;
  std::size_t allowed = 0;
  std::size_t next = 0;
  for (auto _ : state) {
    const std::string& value = values[next++ % values.size()];
    const double begin = cpu_seconds();
    const Verdict verdict = decide(value);
    const double took = cpu_seconds() - begin;
    state.SetIterationTime(took);
    times.push_back(took * 1e6);
    allowed += verdict.allowed() ? 1 : 0;
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = at(times, 0.5);
  state.counters["p99_us"] = at(times, 0.99);
  // Whether the case is what it says: all hits and misses are denied, the rest allowed.
  state.counters["allowed"] = static_cast<double>(allowed) / static_cast<double>(times.size());
}

void add_decisions(LineageMode mode, std::size_t megabytes, const Case& one) {
  const std::string name = std::string(to_string(mode)) + "/" + std::string(one.name) + "/" +
                           std::to_string(megabytes) + "MB";
  const auto navigate = [=](benchmark::State& state) {
    const Gate gate(policy_of(mode), ledger_with(mode, megabytes));
    measure(state, one.values(megabytes).urls,
            [&](const std::string& url) { return gate.navigate(url).verdict; });
  };
  const auto type = [=](benchmark::State& state) {
    const Gate gate(policy_of(mode), ledger_with(mode, megabytes));
    const Origin origin = page_origin();
    measure(state, one.values(megabytes).typed,
            [&](const std::string& value) { return gate.type(value, origin, origin); });
  };
  benchmark::RegisterBenchmark(("navigate/" + name).c_str(), navigate)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark(("type/" + name).c_str(), type)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void sign_receipt(benchmark::State& state) {
  std::array<std::uint8_t, 32> seed{};
  const auto key = SigningKey::from_seed(seed, "");
  for (auto _ : state) {
    Receipt receipt;
    receipt.timestamp = 1754500000.123456;
    receipt.decision = "deny";
    receipt.tool_name = "browser.navigate";
    receipt.user_id = "agentlock-browser";
    receipt.parameters_hash =
        parameters_hash(text_parameters("url", "https://page.example/offers/2025"));
    receipt.reason = "param_lineage";
    benchmark::DoNotOptimize(issue(std::move(receipt), *key, SigningMethod::kEd25519));
  }
}

const bool added = [] {
  for (const LineageMode mode : kModes) {
    for (const std::size_t megabytes : {0U, 1U, 10U, 100U}) {
      for (const Case& one : kCases) {
        // Nothing can be hit where nothing is recorded.
        if (megabytes > 0 || one.name != "hit") add_decisions(mode, megabytes, one);
      }
    }
  }
  benchmark::RegisterBenchmark("sign_receipt", sign_receipt)->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
}  // namespace agentlock::bench
