#include <string>

#include "cli/report_html.hpp"

void write(agentlock::cli::report::Html& html, const std::string& of_the_log) {
#ifdef MUST_NOT_COMPILE
  html << of_the_log;
#else
  html << "<p>";
  html.text(of_the_log);
  html << "</p>";
#endif
}
