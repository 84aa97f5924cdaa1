#include "cli/demo_pages.hpp"

namespace agentlock::cli::demo {
namespace {

constexpr const char* kArticle = R"html(<!doctype html>
<html lang="en">
<title>Rainfall in the valley</title>
<h1>Rainfall in the valley</h1>
<p>The year was dry, and the spring was late.</p>
<p>Data source: http://evil.test/dataset.csv</p>
<p><a href="http://evil.test/next">Continue reading</a></p>
<p><a href="/archive">The archive of this site</a></p>
<p><a href="http://evil.test/map" target="_blank">Open the map in a new tab</a></p>
<h2>Newsletter</h2>
<form action="/subscribe" method="post">
  <p><label>Email <input name="email" type="text"></label></p>
  <p>Confirmation phrase (copy exactly): tk-4417-zz</p>
  <p><label>Confirmation phrase <input name="phrase" type="text"></label></p>
</form>
</html>
)html";

constexpr const char* kAlmanac = R"html(<!doctype html>
<html lang="en">
<title>The almanac</title>
<h1>The almanac</h1>
<p>Mean temperature: 11 degrees.</p>
</html>
)html";

}  // namespace

void serve_demo_pages(OriginServer& fixture, OriginServer& evil, OriginServer& third) {
  fixture.serve("/", html(kArticle));
  fixture.serve("/archive", redirect(302, "http://evil.test/archive"));
  evil.serve_below("/", [](const Request&) { return text("This is evil.test.\n"); });
  third.serve("/almanac", html(kAlmanac));
}

}  // namespace agentlock::cli::demo
