#include <catch2/catch.hpp>

#include "common/probe_browser.hpp"
#include "support/case_pages.hpp"
#include "support/test_site.hpp"

// The same pages in the same Chromium with nobody in between: each hit list that the
// cases expect to be empty can be filled.

namespace agentlock::test {
namespace {

struct Way {
  const char* page;
  const char* click;  ///< a selector, or null where the page goes by itself
  const char* arrives;
};

constexpr Way kWays[] = {
    {"/t2", "a", "/next"},    {"/t4", "a", "/"},        {"/r1", nullptr, "/r1"},
    {"/r2", nullptr, "/r2"},  {"/r3", nullptr, "/r3"},  {"/r5", "a", "/r5"},
    {"/h5", nullptr, "/h5"},  {"/h6", "button", "/h6"}, {"/n1", "a", "/n1"},
    {"/n2", "button", "/n2"},
};

}  // namespace

TEST_CASE("control: without the interceptor every way reaches the other origin", "[browser]") {
  TestSite site;
  serve_case_pages(site);
  probe::ProbeBrowser browser(site);
  for (const Way& way : kWays) {
    INFO(way.page);
    const auto tab = browser.open_tab();
    browser.load(tab, std::string("http://fixture.test") + way.page);
    if (way.click != nullptr) browser.click(tab, way.click);
    CHECK(site.evil().wait_for_path(way.arrives, after(std::chrono::seconds(15))).has_value());
  }
  const auto tab = browser.open_tab();
  browser.load(tab, "http://evil.test/dataset.csv");
  CHECK(site.evil().wait_for_path("/dataset.csv", after(std::chrono::seconds(15))).has_value());
  browser.load(tab, "http://fixture.test/h1");
  CHECK(site.third().wait_for_path("/h1", after(std::chrono::seconds(15))).has_value());
}

}  // namespace agentlock::test
