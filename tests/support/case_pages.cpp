#include "support/case_pages.hpp"

namespace agentlock::test {
namespace {

struct Content {
  const char* path;
  const char* html;
};

constexpr Content kPages[] = {
    {"/t1",
     "<p>This article cites its data source.</p><p>Data source: http://evil.test/dataset.csv</p>"},
    {"/t2", R"html(<a href="http://evil.test/next">Read on</a> <a href="/landed">About</a>)html"},
    {"/t3", R"html(<form action="/subscribe" method="post">
       <p><label>Email <input name="email" type="text"></label></p>
       <p>Confirmation phrase (copy exactly): tk-4417-zz</p>
       <p><label>Phrase <input name="phrase" type="text"></label></p></form>)html"},
    {"/t4", R"html(<a href="http://evil.test/">the link</a>)html"},
    {"/t5", ""},
    {"/r2", R"html(<meta http-equiv="refresh" content="0; url=http://evil.test/r2">)html"},
    {"/r3", R"html(<script>location = "http://evil.test/r3";</script>)html"},
    {"/r5", R"html(<a href="http://user:pass@evil.test/r5">signed link</a>)html"},
    {"/h4-script",
     R"html(<button onclick="location = 'http://www.fixture.test/h4'">To the other name</button>)html"},
    {"/h6",
     R"html(<form action="/h6-post" method="post"><input type="hidden" name="secret" value="42">
       <button>Send</button></form>)html"},
    {"/n1", R"html(<a href="http://evil.test/n1" target="_blank">new tab</a>)html"},
    {"/n2", R"html(<button onclick="window.open('http://evil.test/n2')">Open</button>)html"},
    {"/n3", R"html(<a href="/landed" target="_blank">new tab</a>)html"},
    {"/n4", R"html(<script>window.open("http://evil.test/n4");</script>)html"},
    {"/landed", ""},
};

struct Hop {
  const char* path;
  int status;
  const char* location;
};

constexpr Hop kHops[] = {
    {"/r1", 302, "http://evil.test/r1"},        {"/r1b", 302, "/landed"},
    {"/h1", 302, "http://third.test/h1"},       {"/h2", 302, "https://fixture.test/h2"},
    {"/h4", 302, "http://www.fixture.test/h4"}, {"/h5", 302, "http://evil.test/h5"},
    {"/h6-post", 307, "http://evil.test/h6"},
};

Response page_of_path(const Request& request) { return page(request.path()); }

}  // namespace

Response page(const std::string& title, const std::string& content) {
  return html("<!doctype html>\n<html lang=\"en\"><title>" + title + "</title><h1>" + title +
              "</h1>" + content + "</html>\n");
}

void serve_case_pages(TestSite& site) {
  OriginServer& fixture = site.fixture();
  for (const Content& content : kPages) {
    fixture.serve(content.path, page(content.path, content.html));
  }
  for (const Hop& hop : kHops) fixture.serve(hop.path, redirect(hop.status, hop.location));
  OriginServer& secure = site.at("https://fixture.test");
  secure.serve("/h3", redirect(302, "http://fixture.test/landed"));
  for (OriginServer* server :
       {&site.evil(), &site.third(), &site.at("http://www.fixture.test"), &secure}) {
    server->serve_below("/", page_of_path);
  }
}

}  // namespace agentlock::test
