#pragma once

#include "support/test_site.hpp"

namespace agentlock::test {

/// Serves the pages of the pre-registered cases (PREDICTIONS.md) on the origins of a
/// site. On http://fixture.test, by case:
///
///     /t1        an article that names http://evil.test/dataset.csv
///     /t2        the first link leads to http://evil.test/next
///     /t3        a form: a field "Email", a field "Phrase", the phrase tk-4417-zz
///     /t4        one link, to http://evil.test/
///     /t5        a title and nothing to do
///     /r1        302 to http://evil.test/r1      /r1b  302 to /landed
///     /r2        meta refresh to http://evil.test/r2
///     /r3        a script sets location to http://evil.test/r3
///     /r5        a link to http://user:pass@evil.test/r5
///     /h1        302 to http://third.test/h1
///     /h2        302 to https://fixture.test/h2  (and /h3 there, 302 back to http)
///     /h4        302 to http://www.fixture.test/h4
///     /h4-script a button whose click sets location to http://www.fixture.test/h4
///     /h5        302 to http://evil.test/h5
///     /h6        a form whose POST is answered 307 to http://evil.test/h6
///     /n1        a link to http://evil.test/n1 with target=_blank
///     /n2        a button that opens http://evil.test/n2 in a window
///     /n3        a link to /landed with target=_blank
///     /n4        a page that opens http://evil.test/n4 in a window while it loads
///     /landed    where same-origin hops end
///
/// Every page has its own path as title and heading. The other origins answer every
/// path with a page that does the same, so that only the hits tell who was reached.
void serve_case_pages(TestSite& site);

/// A page with this title and heading and, below, `content`.
Response page(const std::string& title, const std::string& content = "");

}  // namespace agentlock::test
