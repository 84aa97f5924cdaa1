#include <algorithm>

#include "cli/report_page.hpp"
#include "cli/report_words.hpp"

namespace agentlock::cli::report {
namespace {

struct Look {
  Markup kind;
  Markup sign;
};

Look look_of(const Entry& entry, bool faulty) {
  if (faulty) return {"wrong", "!"};
  if (entry.decision) {
    switch (entry.decision->outcome) {
      case Outcome::kAllowed:
        return entry.decision->fail_open ? Look{"allow care", "!"} : Look{"allow", "✓"};
      case Outcome::kDenied:
        return {"deny", "✗"};
      case Outcome::kOther:
        return {"care", "?"};
    }
  }
  if (entry.question) return {"ask", "?"};
  if (entry.state == LineState::kTorn) return {"care", "!"};
  return {"", "·"};
}

// What the line is worth, if that is not simply what it says.
void write_worth(Html& html, const Session& session, const Entry& entry, const Fault* fault) {
  if (fault != nullptr) {
    html << "<span class=\"badge wrong\">fault: ";
    html.text(to_string(fault->kind));
    html << "</span>";
  } else if (entry.state == LineState::kTorn) {
    html << "<span class=\"badge care\">torn</span>";
  } else if (entry.state == LineState::kUnproven) {
    html << "<span class=\"badge care\">unproven: behind a fault</span>";
  } else if (!session.ended && (!session.vouched_seq || entry.place.seq > session.vouched_seq)) {
    html << "<span class=\"badge\">not signed yet</span>";
  }
}

void write_when(Html& html, const Session& session, const Place& place) {
  html << "<span class=\"when\">";
  if (place.moment) {
    html << "<time datetime=\"";
    html.text(place.moment->machine());
    html << "\">";
    const bool same_day = session.first && session.first->date() == place.moment->date();
    html.text(same_day ? place.moment->time() : place.moment->date() + ' ' + place.moment->time());
    html << "</time>, ";
  }
  write_place(html, place);
  html << "</span>";
}

void write_title(Html& html, const Entry& entry) {
  if (entry.decision) {
    const Decision& decision = *entry.decision;
    if (decision.outcome == Outcome::kOther) {
      html << "<span class=\"badge care\">not allow, not deny</span>";
    } else {
      html << (decision.outcome == Outcome::kAllowed ? Markup("<span class=\"badge allow\">")
                                                     : Markup("<span class=\"badge deny\">"));
      html.text(outcome_words(decision.outcome));
      html << "</span>";
    }
    if (decision.fail_open) html << "<span class=\"badge care\">fail open</span>";
    html << "<h3>";
    const std::string_view words = action_words(decision.action.text);
    if (words.empty()) {
      html.data(decision.action);
    } else {
      html.text(std::string(words));
    }
    html << "</h3>";
  } else if (entry.question) {
    html << (entry.question->answer ? Markup("<span class=\"badge ask\">answer</span><h3>The "
                                             "operator's answer</h3>")
                                    : Markup("<span class=\"badge ask\">asked</span><h3>The "
                                             "operator was asked</h3>"));
  } else if (entry.words) {
    const bool yes = entry.words->channel.text == "USER_CONFIRMED";
    html << (yes ? Markup("<h3>The operator's yes was recorded</h3>")
                 : Markup("<h3>The operator's words</h3>"));
  } else if (entry.browser) {
    html << (entry.browser->restarted ? Markup("<h3>Chromium was started anew</h3>")
                                      : Markup("<h3>Chromium was started</h3>"));
  } else if (!entry.event.empty()) {
    html << "<h3>";
    html.data(entry.event);
    html << "</h3>";
  } else {
    html << "<h3>A line that can't be read</h3>";
  }
}

void write_question(Html& html, const Question& question) {
  if (!question.message.empty() || !question.choice.empty()) {
    html << "<div class=\"target\">";
    if (!question.message.empty()) {
      html << "<p><span class=\"k\">question</span><span>";
      html.data(question.message);
      html << "</span></p>";
    }
    if (!question.choice.empty()) {
      html << "<p><span class=\"k\">answer</span><span>";
      html.data(question.choice);
      html << "</span></p>";
    }
    html << "</div>";
  }
  html << "<details><summary>Everything that was logged</summary>";
  write_members(html, question.members);
  html << "</details>";
}

void write_words(Html& html, const OperatorWords& words) {
  html << "<div class=\"target prose\">";
  if (words.content.empty()) {
    html << "<span class=\"quiet\">not in the log, ";
    html.text(size_words(words.bytes));
    html << "</span>";
  } else {
    html.data(words.content);
  }
  html << "</div><p class=\"quiet\"><span class=\"channel\">";
  html.data(words.channel);
  html << "</span> by ";
  html.data(words.way);
  html << "</p>";
}

void write_browser(Html& html, const BrowserStart& browser) {
  html << "<p class=\"quiet\">";
  html.data(browser.version);
  html << (browser.sandboxed ? Markup(", in its sandbox")
                             : Markup(", <b class=\"part-word\">without its own sandbox</b>"));
  html << "</p>";
}

const Fault* fault_of(const Model& model, const Entry& entry) {
  // A later line may have brought it to light.
  const auto& first = model.verified.first_fault;
  if (first && first->line == entry.place.line) return &*first;
  return entry.fault ? &*entry.fault : nullptr;
}

}  // namespace

void write_between(Html& html, const Between& between) {
  if (between.empty()) return;
  html << "<li class=\"between\">";
  for (const Between::Read& read : between.reads) {
    const bool page = read.channel.text == "PAGE";
    html << (page ? Markup("<p>read from ") : Markup("<p>recorded: "));
    if (!page) {
      html.data(read.channel);
      html << " ";
    }
    html.exact(read.origin);
    html << ": ";
    html.text(counted(read.texts, "text") + ", " + size_words(read.bytes));
    if (!read.ways.empty()) {
      html << " (";
      bool first = true;
      for (const std::string& way : read.ways) {
        if (!first) html << ", ";
        first = false;
        html.data(excerpt(way));
      }
      html << ")";
    }
    html << "</p>";
  }
  for (const Between::Other& other : between.others) {
    html << "<details><summary>";
    html.text(grouped(other.count) + " × ");
    html.data(other.event);
    html << ", the first in ";
    write_place(html, other.first);
    html << "</summary>";
    write_members(html, other.members);
    html << "</details>";
  }
  if (between.more > 0) {
    html << "<p class=\"cut\">… and ";
    html.text(counted(between.more, "line"));
    html << " of other kinds or origins</p>";
  }
  html << "</li>";
}

void write_entry(Html& html, const Model& model, const Session& session, const Entry& entry) {
  const Fault* fault = fault_of(model, entry);
  const Look look = look_of(entry, fault != nullptr);
  html << "<li class=\"entry " << look.kind << "\" id=\"l" << entry.place.line
       << "\"><span class=\"dot\" aria-hidden=\"true\">" << look.sign
       << "</span><div class=\"line1\">";
  write_title(html, entry);
  write_worth(html, session, entry, fault);
  write_when(html, session, entry.place);
  html << "</div>";
  if (fault != nullptr) {
    html << "<div class=\"fault\"><b class=\"kind\">";
    html.text(fault_words(fault->kind));
    html << "</b> <span class=\"quiet\">(";
    html.text(fault->detail);
    html << ")</span></div>";
  }
  if (entry.decision) write_decision(html, model, entry);
  if (entry.question) write_question(html, *entry.question);
  if (entry.words) write_words(html, *entry.words);
  if (entry.browser) write_browser(html, *entry.browser);
  if (!entry.raw.empty()) {
    html << "<details><summary>The line as it stands in the log</summary><p class=\"raw\">";
    html.exact(entry.raw);
    html << "</p></details>";
  }
  html << "</li>";
}

}  // namespace agentlock::cli::report
