#include "cli/report_page.hpp"

#include <span>

#include "agentlock/sha256.hpp"
#include "base/encoding.hpp"
#include "cli/report_picture.hpp"
#include "cli/report_style.hpp"
#include "cli/report_words.hpp"

namespace agentlock::cli::report {
namespace {

void write_left_out(Html& html, const Model& model) {
  if (model.left_out_before == 0) return;
  html << "<p class=\"note\"><b>";
  html.text(grouped(model.left_out_before));
  html << (model.left_out_before == 1 ? Markup(" earlier entry is")
                                      : Markup(" earlier entries are"));
  html << " left out here</b>, up to line ";
  html.text(grouped(model.last_left_out_line));
  html << ". The numbers above count them. To see them: <code>agentlock-browser report LOG -o "
          "FILE --from 1</code>, and <code>--entries N</code> for more at once.</p>";
}

void write_left_out_after(Html& html, const Model& model) {
  if (model.left_out_after > 0) {
    html << "<p class=\"note\"><b>";
    html.text(grouped(model.left_out_after));
    html << (model.left_out_after == 1 ? Markup(" later entry is") : Markup(" later entries are"));
    html << " left out here.</b> The numbers above count them. To see them: "
            "<code>agentlock-browser report LOG -o FILE --from "
         << model.next_line << "</code>, and <code>--entries N</code> for more at once.</p>";
  }
  if (model.idle_sessions > 0) {
    html << "<p class=\"note\"><b>";
    html.text(counted(model.idle_sessions, "session"));
    html << (model.idle_sessions == 1 ? Markup(" has") : Markup(" have"));
    html << " nothing on this page</b>: without a decision, or before or behind what is "
            "shown.</p>";
  }
}

void write_unreadable(Html& html, const Model& model) {
  if (model.unreadable.empty()) return;
  html << "<section class=\"card\" aria-labelledby=\"unreadable\"><h2 id=\"unreadable\">Lines that "
          "belong to no session</h2><ol>";
  for (const Unreadable& line : model.unreadable) {
    html << "<li id=\"l" << line.place.line << "\"><p><b class=\"bad-word\">line ";
    html.text(grouped(line.place.line));
    html << "</b>, byte ";
    html.text(grouped(line.byte));
    html << (line.state == LineState::kTorn ? Markup(": torn") : Markup(""));
    html << "</p><p class=\"raw\">";
    html.exact(line.raw);
    html << "</p></li>";
  }
  html << "</ol>";
  if (model.more_unreadable > 0) {
    html << "<p class=\"note\"><b>";
    html.text(counted(model.more_unreadable, "more such line"));
    html << "</b> not shown.</p>";
  }
  html << "</section>";
}

void write_footer(Html& html, const About& about) {
  html
      << "<footer><p>This page runs no script and loads nothing. Text of the log is shown as it "
         "stands there; what could not be seen, or would change what can, is shown as <span "
         "class=\"esc\">\\n</span> or <span class=\"esc\">\\u{202E}</span>.</p><p>It says what the "
         "log said when the page was made";
  if (about.made) {
    html << ", on <time>";
    html.text(about.made->date() + ' ' + about.made->minutes());
    html << "</time> UTC";
  }
  html << ". To check the log again: <code>agentlock-browser verify LOG --key "
          "key.pub</code></p><p>agentlock-browser ";
  html.text(AGENTLOCK_VERSION);
  html << "</p></footer>";
}

}  // namespace

std::string style_hash() {
  const auto digest = from_hex(sha256_hex(kStyle));
  const auto* bytes = reinterpret_cast<const char*>(digest->data());
  return "sha256-" + to_base64({bytes, digest->size()});
}

void write_place(Html& html, const Place& place) {
  html << "line ";
  html.text(grouped(place.line));
  if (place.seq) {
    html << ", seq ";
    html.text(grouped(*place.seq));
  }
}

void write_members(Html& html, const Members& members) {
  if (members.list.empty()) return;
  html << "<table class=\"members\"><tbody>";
  for (const Member& member : members.list) {
    html << "<tr><th scope=\"row\">";
    html.data(member.path);
    html << "</th><td>";
    html.data(member.value);
    html << "</td></tr>";
  }
  html << "</tbody></table>";
  if (members.left_out > 0) {
    html << "<p class=\"cut\">… ";
    html.text(counted(members.left_out, "more member"));
    html << " in the log</p>";
  }
}

void write_page(std::ostream& out, const Model& model, const About& about) {
  Html html(out);
  html << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '";
  html.text(style_hash());
  html << "'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" "
          "content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n<title>";
  html.text(verdict_title(model.verified.verdict));
  html << ": decision log report</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n";
  html << "<a class=\"skip\" href=\"#sessions\">To the sessions</a><header class=\"top\"><p "
          "class=\"brand\">agentlock-browser</p><h1>Decision log report</h1><p class=\"file\">";
  html.exact(excerpt(about.log, kLongText));
  html << "</p></header>\n<main>\n";
  write_verdict(html, model, about);
  write_numbers(html, model);
  draw_picture(html, model);
  html << "<div id=\"sessions\">\n";
  write_index(html, model);
  write_left_out(html, model);
  for (std::size_t i = 0; i < model.sessions.size(); ++i) write_session(html, model, i);
  write_left_out_after(html, model);
  write_unreadable(html, model);
  html << "</div>\n</main>\n";
  write_footer(html, about);
  html << "</body>\n</html>\n";
}

}  // namespace agentlock::cli::report
