#include "cli/report_page.hpp"

namespace agentlock::cli::report {
namespace {

constexpr std::size_t kOpenIndex = 12;  // sessions

void write_chip(Html& html, Markup kind, std::uint64_t count, Markup words) {
  if (count == 0) return;
  html << "<span class=\"chip " << kind << "\">";
  html.text(grouped(count));
  html << " " << words << "</span>";
}

void write_state(Html& html, const Session& session) {
  if (session.broken) {
    html << "<span class=\"chip deny\">✗ its chain is broken</span>";
  } else if (session.ended) {
    html << "<span class=\"chip\">ended: ";
    html.data(session.end_why);
    html << "</span>";
  } else if (session.vouched_seq) {
    html << "<span class=\"chip care\">no end, signed up to seq ";
    html.text(grouped(*session.vouched_seq));
    html << "</span>";
  } else {
    html << "<span class=\"chip care\">no end, signed nowhere</span>";
  }
  if (session.clock_back > 0) {
    html << "<span class=\"chip care\">the clock was set back by ";
    html.text(duration_words(session.clock_back));
    html << "</span>";
  }
}

void write_name(Html& html, const Session& session) {
  if (!session.first) {
    html << "Session without a time";
    return;
  }
  html << "Session of <time datetime=\"";
  html.text(session.first->machine());
  html << "\">";
  html.text(session.first->date() + ' ' + session.first->minutes());
  html << "</time> UTC";
}

void write_chips(Html& html, const Session& session) {
  write_chip(html, "allow", session.decisions[0], "allowed");
  write_chip(html, "deny", session.decisions[1], "denied");
  write_chip(html, "care", session.decisions[2], "neither");
  write_chip(html, "ask", session.asked, "asked");
  write_chip(html, "care", session.fail_open, "fail open");
}

void write_header(Html& html, const Model& model, std::size_t index) {
  const Session& session = model.sessions[index];
  html << "<header><h2 id=\"h" << index + 1 << "\">";
  write_name(html, session);
  html << "</h2><p class=\"id\">";
  html.data(excerpt(session.name));
  html << ", lines ";
  html.text(grouped(session.first_line));
  html << " to ";
  html.text(grouped(session.last_line));
  if (session.first && session.last) {
    html << ", ";
    html.text(duration_words(session.last->seconds() - session.first->seconds()));
  }
  html << "</p><p class=\"chips\">";
  write_chips(html, session);
  write_state(html, session);
  html << "</p>";
}

void write_setting(Html& html, const Session& session) {
  if (!session.allowlist.empty()) {
    html << "<dl class=\"facts\"><div><dt>Allowlist</dt><dd>";
    for (std::size_t i = 0; i < session.allowlist.size(); ++i) {
      if (i > 0) html << ", ";
      html.exact(session.allowlist[i]);
    }
    if (session.more_allowlist > 0) {
      html << ", <span class=\"cut\">… ";
      html.text(grouped(session.more_allowlist));
      html << " more</span>";
    }
    html << "</dd></div></dl>";
  }
  if (session.start_seen) {
    html << "<details><summary>Configuration</summary>";
    write_members(html, session.config);
    html << "</details>";
  } else {
    html << "<p class=\"quiet\">Its beginning is not on this page.</p>";
  }
}

}  // namespace

void write_index(Html& html, const Model& model) {
  if (model.sessions.size() < 2) return;
  html << "<nav class=\"card\" aria-label=\"Sessions\"><details"
       << (model.sessions.size() <= kOpenIndex ? Markup(" open") : Markup("")) << "><summary>";
  html.text(counted(model.sessions.size(), "session"));
  html << " on this page</summary><ol class=\"index\">";
  for (std::size_t i = 0; i < model.sessions.size(); ++i) {
    const Session& session = model.sessions[i];
    html << "<li><a href=\"#h" << i + 1 << "\">";
    write_name(html, session);
    html << "</a><span class=\"id\">";
    html.data(excerpt(session.name));
    html << "</span><span class=\"chips\">";
    write_chips(html, session);
    if (session.broken) html << "<span class=\"chip deny\">✗ broken</span>";
    html << "</span></li>";
  }
  html << "</ol></details></nav>\n";
}

void write_session(Html& html, const Model& model, std::size_t index) {
  const Session& session = model.sessions[index];
  html << "<section class=\"card session\" aria-labelledby=\"h" << index + 1 << "\">";
  write_header(html, model, index);
  write_setting(html, session);
  html << "</header>";
  if (session.kept == 0) {
    html << "<p class=\"quiet\">";
    html << (session.left_out > 0 ? Markup("Nothing of it is on this page.")
                                  : Markup("Nothing was decided in it."));
    html << "</p></section>\n";
    return;
  }
  if (session.left_out > 0) {
    html << "<p class=\"note\"><b>";
    html.text(grouped(session.left_out));
    html << "</b> of its entries are left out.</p>";
  }
  html << "<ol class=\"timeline\">";
  for (const Entry* entry : session.entries) {
    write_between(html, entry->before);
    write_entry(html, model, session, *entry);
  }
  write_between(html, session.pending);
  html << "</ol></section>\n";
}

}  // namespace agentlock::cli::report
