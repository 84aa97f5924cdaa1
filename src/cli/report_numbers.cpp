#include "cli/report_page.hpp"

namespace agentlock::cli::report {
namespace {

void write_tile(Html& html, Markup kind, Markup name, std::uint64_t number) {
  html << "<div class=\"tile " << (number > 0 ? kind : Markup("none")) << "\"><dt>" << name
       << "</dt><dd>";
  html.text(grouped(number));
  html << "</dd></div>";
}

void write_moment(Html& html, const std::optional<Moment>& moment) {
  if (!moment) {
    html << "<span class=\"quiet\">not known</span>";
    return;
  }
  html << "<time datetime=\"";
  html.text(moment->machine());
  html << "\">";
  html.text(moment->date() + ' ' + moment->minutes());
  html << "</time> UTC";
}

}  // namespace

void write_numbers(Html& html, const Model& model) {
  html << "<dl class=\"tiles\">";
  write_tile(html, "allow", "Allowed", model.decisions[0]);
  write_tile(html, "deny", "Denied", model.decisions[1]);
  write_tile(html, "ask", "Operator asked", model.asked);
  write_tile(html, "care", "Fail open", model.fail_open);
  if (model.decisions[2] > 0) {
    write_tile(html, "care", "Neither", model.decisions[2]);
  }
  write_tile(html, "", "Sessions", model.verified.sessions);
  html
      << "</dl>\n<section class=\"card\" aria-label=\"The log\"><dl class=\"facts\"><div><dt>First "
         "line</dt><dd>";
  write_moment(html, model.first);
  html << "</dd></div><div><dt>Last line</dt><dd>";
  write_moment(html, model.last);
  html << "</dd></div><div><dt>Lines</dt><dd>";
  html.text(grouped(model.verified.lines));
  html << "</dd></div><div><dt>Chromium</dt><dd>";
  if (model.chromiums.empty()) html << "<span class=\"quiet\">was not started</span>";
  for (std::size_t i = 0; i < model.chromiums.size(); ++i) {
    if (i > 0) html << "<br>";
    html.data(model.chromiums[i]);
  }
  if (model.more_chromiums > 0) html << "<br>and others";
  html << "</dd></div></dl></section>\n";
}

}  // namespace agentlock::cli::report
