#include "cli/report_html.hpp"

void write(agentlock::cli::report::Html& html, const char* of_the_log) {
#ifdef MUST_NOT_COMPILE
  html << of_the_log;
#else
  html.text(of_the_log);
#endif
}
