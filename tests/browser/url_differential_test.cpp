#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "common/probe_browser.hpp"
#include "support/test_site.hpp"
#include "support/url_deviations.hpp"
#include "support/url_generator.hpp"

// Our URL parser against the one that decides where a navigation really goes: that of
// the Chromium installed. What both make of a text is compared as a whole, and what
// differs must stand in the table of url_deviations.hpp.

namespace agentlock::test {
namespace {

/// Asks a page of its own, all texts at once.
class ChromiumUrls {
 public:
  ChromiumUrls() : browser_(site_), tab_(browser_.open_tab()) {}

  std::vector<std::optional<UrlReading>> read(const std::vector<std::string>& texts) {
    const Json list = texts;
    const Json answers = evaluate(list.dump(-1, ' ', true) +
                                  ".map(text => { try { const url = new URL(text);"
                                  " return [url.href, url.origin]; } catch { return null; } })");
    REQUIRE(answers.size() == texts.size());
    std::vector<std::optional<UrlReading>> readings;
    for (const Json& answer : answers) {
      readings.emplace_back();
      if (!answer.is_null()) readings.back() = UrlReading{answer[0], answer[1]};
    }
    return readings;
  }

  Json evaluate(const std::string& expression) { return browser_.evaluate(tab_, expression); }

 private:
  TestSite site_;
  probe::ProbeBrowser browser_;
  probe::ProbeBrowser::Tab tab_;
};

std::string shown(const UrlComparison& one) {
  const auto href = [](const auto& reading) { return reading ? reading->href : "refused"; };
  return Json{{"input", one.input},
              {"ours", href(one.ours)},
              {"refusal", one.refusal},
              {"chromium", href(one.theirs)}}
      .dump(-1, ' ', true);
}

UrlComparison compare(std::string input, std::optional<UrlReading> theirs) {
  const auto url = Url::parse(input);
  return {std::move(input), reading_of(url), url ? "" : url.error().message(), std::move(theirs)};
}

/// Of all that is not one of the four schemes Chromium may think what it wants.
bool is_judged(const UrlComparison& one) {
  return (one.ours && is_networked(one.ours->href)) ||
         (one.theirs && is_networked(one.theirs->href));
}

std::string as_utf8(UChar32 point) {
  std::array<char, 4> bytes{};
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes.data(), size, point);
  return {bytes.data(), static_cast<std::size_t>(size)};
}

}  // namespace

TEST_CASE("five thousand odd URLs mean to Chromium what they mean to us", "[browser]") {
  constexpr std::size_t kUrls = 5'000;
  ChromiumUrls chromium;
  UrlGenerator generator(20261130);
  std::vector<std::string> inputs;
  while (inputs.size() < kUrls) inputs.push_back(generator.next());
  const auto theirs = chromium.read(inputs);

  std::size_t taken_by_both = 0;
  std::map<std::string_view, std::size_t> named;
  std::vector<std::string> ours;
  for (std::size_t i = 0; i < kUrls; ++i) {
    const UrlComparison one = compare(inputs[i], theirs[i]);
    if (!is_judged(one)) continue;
    if (const std::string why = disagreement(one); !why.empty()) {
      FAIL_CHECK(why << ": " << shown(one));
    }
    if (one.ours && one.theirs) ++taken_by_both;
    if (one.ours) ours.push_back(one.ours->href);
    if (one.ours || !one.theirs) continue;
    if (const auto* deviation = covering(kOnlyChromiumAccepts, one)) ++named[deviation->name];
  }
  // The texts are odd, but not so odd that nothing would be compared.
  CHECK(taken_by_both > 1'500);
  for (const UrlDeviation& deviation : kOnlyChromiumAccepts) {
    INFO(deviation.name);
    CHECK((named[deviation.name] > 0 || deviation.covers == deviation::forbidden_before_mark));
  }

  // Chromium is only ever given our own serialisation.
  const auto echoes = chromium.read(ours);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const UrlComparison one = compare(ours[i], echoes[i]);
    if (const std::string why = disagreement(one); !why.empty()) {
      FAIL_CHECK("as we write it, " << why << ": " << shown(one));
    }
    if (one.ours->href != ours[i]) FAIL_CHECK("no fixed point: " << ours[i]);
  }
}

TEST_CASE("every character in a host means to Chromium what it means to us", "[browser]") {
  ChromiumUrls chromium;
  std::size_t same = 0;
  // Planes 4 to 13 are empty, and 15 and 16 for private use.
  for (const auto& [first, last] : {std::pair<UChar32, UChar32>{0, 0x3FFFF}, {0xE0000, 0xE0FFF}}) {
    for (UChar32 begin = first; begin < last; begin += 0x8000) {
      const UChar32 end = std::min(last + 1, begin + 0x8000);
      const Json hosts = chromium.evaluate(
          "Array.from({length: " + std::to_string(end - begin) +
          "}, (_, i) => { try { return new " + "URL(`https://a${String.fromCodePoint(" +
          std::to_string(begin) + " + i)}b/`).origin; } catch { return null; } })");
      for (UChar32 point = begin; point < end; ++point) {
        if (U_IS_SURROGATE(point)) continue;
        const Json& origin = hosts.at(static_cast<std::size_t>(point - begin));
        std::optional<UrlReading> theirs;
        if (origin.is_string()) theirs = UrlReading{"", origin};
        UrlComparison one = compare("https://a" + as_utf8(point) + "b/", theirs);
        if (!one.ours && !one.theirs) continue;
        if (one.ours && one.theirs && one.ours->origin == one.theirs->origin) {
          ++same;
        } else if (one.ours || !covering(kOnlyChromiumAccepts, one)) {
          FAIL_CHECK("U+" << std::hex << point << ": " << shown(one));
        }
      }
    }
  }
  CHECK(same > 100'000);
}

}  // namespace agentlock::test
